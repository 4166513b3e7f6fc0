import { DatabaseError } from '../database-error.ts'
import type { ConnectionLoad } from '../database-service.ts'
import type { Recipient } from '../statements/query-target.ts'
import { type Admission, type Holder, isRefusal } from './admission.ts'
import { Line, waitedTooLong } from './line.ts'

/*
 * Hand-written: the drivers' pools do not know of each other. These pools share the connections that the server
 * allows (`admission.ts`), and limit on every database alike how many callers wait and for how long.
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

/** Connections used by one caller at a time, opened on demand and kept for the next. */
export class Pool<Connection> implements Holder {
  readonly #options: PoolOptions<Connection>
  // The most recently returned one is taken first: the server has most of its statements cached.
  readonly #idle: Connection[] = []
  readonly #line: Line<Connection>
  #openCount = 0
  #opening = 0
  #owesOne = false

  constructor(options: PoolOptions<Connection>) {
    this.#options = options
    this.#line = new Line({
      // Callers for whom a connection is being opened, or will be at once, do not count as waiting.
      maxWaiting: () => options.maxWaiting + this.#opening + (this.#mayOpen() ? 1 : 0),
      waitTimeoutMs: options.waitTimeoutMs,
      waitedTooLong: () => this.#waitedTooLong(),
    })
    options.admission.add(this)
  }

  /**
   * Acquires a connection for the caller's exclusive use until `release`. A recipient that is aborted while waiting
   * leaves the line.
   * @throws DatabaseError of kind `busy` after a long wait, `unavailable` if none can be opened, `abandoned`
   */
  acquire(recipient?: Recipient): Connection | Promise<Connection> {
    return this.#takeIdle() ?? this.#wait(recipient)
  }

  /** Takes a connection back; drops it if it is no longer usable. */
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
    return {
      size: this.#options.size,
      open: this.#openCount,
      busy: this.#openCount - this.#idle.length,
      waiting: this.#line.size,
      longestWaitMs: this.#line.longestWaitMs,
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
    if (!this.#line.next(connection)) this.#idle.push(connection)
  }

  #giveUp(connection: Connection): void {
    this.#owesOne = false
    this.#options.end(connection)
    this.#forget()
  }

  /** The place of a lost connection goes to a waiting caller. */
  #forget(): void {
    this.#openCount -= 1
    this.#grow()
  }

  /** Opens connections for waiting callers, up to the limit. */
  #grow(): void {
    while (this.#line.size > this.#opening && this.#mayOpen()) void this.#open()
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
      this.#failed(error, isFirst)
    }
  }

  /**
   * While other connections exist, waiting callers get one of those, and find out whether it works. If they have been
   * given up meanwhile, and this one was not opened with `insist`, the next one is.
   */
  #failed(error: unknown, wasInsisted: boolean): void {
    if (this.#openCount > this.#opening || (isRefusal(error) && this.#opening > 0)) return
    if (wasInsisted || !isRefusal(error)) this.#line.failNext(error)
    this.#grow()
  }

  #wait(recipient: Recipient | undefined): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.#line.join({ give: resolve, fail: reject }, recipient)
      this.#grow()
    })
  }

  #waitedTooLong(): DatabaseError {
    const { waitTimeoutMs, admission } = this.#options
    if (this.#openCount > this.#opening || admission.isRefusing) {
      return waitedTooLong(waitTimeoutMs)
    }
    return new DatabaseError('unavailable', `the database accepted no connection within ${waitTimeoutMs} ms`)
  }
}
