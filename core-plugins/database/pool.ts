import { type Admission, type Holder, isRefusal } from './admission.ts'
import { abandoned, DatabaseError } from './database-error.ts'
import type { ConnectionLoad } from './database-service.ts'

/*
 * Hand-written: the pools of the drivers know nothing of each other. These share the connections that the
 * server allows (`admission.ts`), and limit on every database alike how many callers wait and for how long.
 */

export interface PoolOptions<Connection> {
  readonly size: number
  /** How many callers may wait for a connection. */
  readonly maxWaiting: number
  readonly waitTimeoutMs: number
  readonly admission: Admission
  open(): Promise<Connection>
  isUsable(connection: Connection): boolean
  /** Closes a connection that is not in use. */
  end(connection: Connection): void
}

interface Waiting<Connection> {
  /** By `performance.now()`. */
  readonly since: number
  give(connection: Connection): void
  fail(error: unknown): void
}

/** Connections used by one caller at a time, opened on demand and kept for the next. */
export class Pool<Connection> implements Holder {
  readonly #options: PoolOptions<Connection>
  // The most recently returned one is taken first: the server has most of its statements cached.
  readonly #idle: Connection[] = []
  readonly #waiting: Waiting<Connection>[] = []
  #openCount = 0
  #opening = 0
  #owesOne = false

  constructor(options: PoolOptions<Connection>) {
    this.#options = options
    options.admission.add(this)
  }

  /**
   * Acquires a connection of the caller's own until `release`. A caller that is aborted while waiting leaves
   * the queue.
   * @throws DatabaseError of kind `busy` after a long wait, `unavailable` if none can be opened, `abandoned`
   */
  acquire(signal?: AbortSignal): Connection | Promise<Connection> {
    return this.#takeIdle() ?? this.#wait(signal)
  }

  /** Returns a connection; one that is no longer usable is dropped. */
  release(connection: Connection): void {
    if (!this.#options.isUsable(connection)) this.#forget()
    else if (this.#owesOne) this.#giveUp(connection)
    else this.#hand(connection)
  }

  yieldOne(): void {
    const idle = this.#takeIdle()
    if (idle !== undefined) this.#giveUp(idle)
    else this.#owesOne = this.#openCount > 0
  }

  load(): Omit<ConnectionLoad, 'use'> {
    const [longest] = this.#waiting
    return {
      size: this.#options.size,
      open: this.#openCount,
      busy: this.#openCount - this.#idle.length,
      waiting: this.#waiting.length,
      longestWaitMs: longest === undefined ? 0 : performance.now() - longest.since,
    }
  }

  #takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined || this.#options.isUsable(connection)) return connection
      this.#openCount -= 1
    }
  }

  #hand(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(connection)
    else next.give(connection)
  }

  #giveUp(connection: Connection): void {
    this.#owesOne = false
    this.#options.end(connection)
    this.#forget()
  }

  /** A caller waiting for the place of a lost connection gets another. */
  #forget(): void {
    this.#openCount -= 1
    this.#grow()
  }

  /** Opens connections for waiting callers, up to the limit. */
  #grow(): void {
    while (this.#waiting.length > this.#opening && this.#mayOpen()) void this.#open()
  }

  #mayOpen(): boolean {
    const { size, admission } = this.#options
    return this.#openCount === 0 || (this.#openCount < size && admission.isOpen)
  }

  async #open(): Promise<void> {
    const { open, admission, waitTimeoutMs } = this.#options
    const isFirst = this.#openCount === 0
    this.#openCount += 1
    this.#opening += 1
    try {
      const connection = await (isFirst ? admission.insist(open, waitTimeoutMs, this) : admission.ask(open))
      this.#opening -= 1
      this.#hand(connection)
    } catch (error) {
      this.#opening -= 1
      this.#openCount -= 1
      this.#failed(error)
    }
  }

  /** While there are other connections, waiting callers get one of those, and find out whether it works. */
  #failed(error: unknown): void {
    if (this.#openCount > this.#opening || (isRefusal(error) && this.#opening > 0)) return
    this.#waiting.shift()?.fail(error)
    this.#grow()
  }

  #wait(signal: AbortSignal | undefined): Promise<Connection> {
    const { maxWaiting, waitTimeoutMs } = this.#options
    if (this.#waiting.length - this.#opening >= maxWaiting && !this.#mayOpen()) {
      const message = `${maxWaiting} are already waiting for a database connection`
      throw new DatabaseError('busy', message, { reason: 'queue_full' })
    }
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const waiting: Waiting<Connection> = {
        since: performance.now(),
        give(connection) {
          settle()
          resolve(connection)
        },
        fail(error) {
          settle()
          reject(error)
        },
      }
      const leaveWith = (error: DatabaseError) => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        waiting.fail(error)
      }
      const leave = () => leaveWith(abandoned())
      const timer = setTimeout(() => leaveWith(this.#waitedTooLong()), waitTimeoutMs)
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiting)
      this.#grow()
    })
  }

  #waitedTooLong(): DatabaseError {
    const { waitTimeoutMs, admission } = this.#options
    if (this.#openCount > this.#opening || admission.isRefusing) {
      const message = `no database connection became free within ${waitTimeoutMs} ms`
      return new DatabaseError('busy', message, { reason: 'wait_too_long' })
    }
    return new DatabaseError('unavailable', `the database accepted no connection within ${waitTimeoutMs} ms`)
  }
}
