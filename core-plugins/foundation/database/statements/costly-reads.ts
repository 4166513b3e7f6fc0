import { readTimeoutMs } from '../connections/limit-settings.ts'
import { Pool, type PoolOptions } from '../connections/pool.ts'
import { abandoned, DatabaseError } from '../database-error.ts'
import type { Recipient } from './query-target.ts'

/** Limits for costly reads; see the settings of the same names. */
export interface CostlyReadLimits {
  readonly readTimeoutMs: number
  readonly costlyPoolSize: number
  readonly maxCostlyWaiting: number
}

export interface CostlyReadsOptions<Connection> extends PoolOptions<Connection> {
  readonly timeoutMs: number
  /** Ends a connection and the read that runs on it; resolves when both have ended. */
  cancel(connection: Connection): Promise<void>
}

/**
 * Runs reads that may take long on connections of their own, one at a time on each. That limits how many run at once,
 * keeps them out of the way of ordinary queries, and lets each be cancelled without affecting others. A connection
 * whose read was cancelled is never reused, and keeps its place until the read has really ended.
 */
export class CostlyReads<Connection> {
  readonly #pool: Pool<Connection>
  readonly #options: CostlyReadsOptions<Connection>

  constructor(options: CostlyReadsOptions<Connection>) {
    this.#options = options
    this.#pool = new Pool(options)
  }

  /**
   * @throws DatabaseError of kind `busy` if too many wait already or it waited too long, `timeout` if the read took
   * too long, `abandoned` if the recipient is gone
   */
  async run<T>(read: (connection: Connection) => Promise<T>, recipient?: Recipient): Promise<T> {
    const signal = recipient?.signal
    if (signal?.aborted) throw abandoned()
    const connection = await this.#acquire(recipient)
    const ending = this.#watch(connection, signal)
    try {
      return await Promise.race([read(connection), ending.early])
    } finally {
      ending.stopWatching()
      void ending.over().then(() => this.#pool.release(connection))
    }
  }

  load(): ReturnType<Pool<Connection>['load']> {
    return this.#pool.load()
  }

  async #acquire(recipient: Recipient | undefined): Promise<Connection> {
    const connection = await this.#pool.acquire(recipient)
    if (!recipient?.signal.aborted) return connection
    this.#pool.release(connection)
    throw abandoned()
  }

  /** Cancels the read when its time is up, or when its recipient is gone. */
  #watch(connection: Connection, signal: AbortSignal | undefined) {
    const { timeoutMs, cancel } = this.#options
    let cancelled: Promise<void> | undefined
    let fail: (error: DatabaseError) => void = () => undefined
    const early = new Promise<never>((_, reject) => {
      fail = reject
    })
    const end = (error: DatabaseError) => {
      cancelled ??= cancel(connection).catch(() => undefined)
      fail(error)
    }
    const leave = () => end(abandoned())
    const timer = setTimeout(() => end(tookTooLong(timeoutMs)), timeoutMs)
    signal?.addEventListener('abort', leave, { once: true })
    return {
      /** Rejects if the read is cancelled. */
      early,
      stopWatching() {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      },
      over: async () => cancelled,
    }
  }
}

function tookTooLong(timeoutMs: number): DatabaseError {
  return new DatabaseError('timeout', `a costly read took longer than ${timeoutMs} ms (${readTimeoutMs.key})`)
}
