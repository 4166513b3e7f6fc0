import { DatabaseError } from './database.ts'

export interface PoolOptions<Connection> {
  readonly size: number
  /** How many may wait for a connection. */
  readonly maxWaiting: number
  readonly waitTimeoutMs: number
  open(): Connection | Promise<Connection>
  isUsable(connection: Connection): boolean
}

interface Waiting<Connection> {
  give(connection: Connection): void
  fail(error: unknown): void
}

/** Connections that are used by one at a time, opened when they are needed and kept for the next. */
export class Pool<Connection> {
  readonly #options: PoolOptions<Connection>
  // The last one given back is taken first: the server knows its statements best.
  readonly #idle: Connection[] = []
  readonly #waiting: Waiting<Connection>[] = []
  #openCount = 0

  constructor(options: PoolOptions<Connection>) {
    this.#options = options
  }

  /** A connection of the caller's own until `release`. @throws DatabaseError of kind `busy` after a long wait */
  acquire(): Connection | Promise<Connection> {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) break
      if (this.#options.isUsable(connection)) return connection
      this.#openCount -= 1
    }
    return this.#openCount < this.#options.size ? this.#open() : this.#wait()
  }

  /** Gives a connection back; one that is not usable any more is forgotten. */
  release(connection: Connection): void {
    if (!this.#options.isUsable(connection)) {
      this.#forget()
      return
    }
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(connection)
    else next.give(connection)
  }

  load(): { open: number; busy: number; waiting: number } {
    return {
      open: this.#openCount,
      busy: this.#openCount - this.#idle.length,
      waiting: this.#waiting.length,
    }
  }

  async #open(): Promise<Connection> {
    this.#openCount += 1
    try {
      return await this.#options.open()
    } catch (error) {
      this.#forget()
      throw error
    }
  }

  /** Whoever has waited for the place of a connection that is gone opens another. */
  #forget(): void {
    this.#openCount -= 1
    const next = this.#waiting.shift()
    if (next !== undefined) this.#open().then(next.give, next.fail)
  }

  #wait(): Promise<Connection> {
    const { maxWaiting, waitTimeoutMs } = this.#options
    if (this.#waiting.length >= maxWaiting) {
      throw new DatabaseError('busy', `${maxWaiting} are waiting for a database connection already`)
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Connection> = {
        give(connection) {
          clearTimeout(timer)
          resolve(connection)
        },
        fail(error) {
          clearTimeout(timer)
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new DatabaseError('busy', `no database connection became free within ${waitTimeoutMs} ms`))
      }, waitTimeoutMs)
      this.#waiting.push(waiting)
    })
  }
}
