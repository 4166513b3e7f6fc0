import { availableParallelism } from 'node:os'
import { Admission } from '../../connections/admission.ts'
import { DatabaseError } from '../../database-error.ts'
import type { ConnectionLoad } from '../../database-service.ts'
import { type CostlyReadLimits, CostlyReads } from '../../statements/costly-reads.ts'
import type { Recipient } from '../../statements/query-target.ts'
import { classifySqliteError } from './sqlite-error.ts'
import type { NativeOptions } from './sqlite-native.ts'
import { type SentStatement, StatementThread } from './statement-thread.ts'

export interface ReadingThreadsOptions extends CostlyReadLimits {
  readonly waitTimeoutMs: number
  readonly native: NativeOptions
}

/** Threads for reads that would block the event loop; started on demand. */
export class SqliteReadingThreads {
  readonly #reads: CostlyReads<StatementThread>
  readonly #native: NativeOptions
  readonly #all = new Set<StatementThread>()
  #isClosed = false

  constructor(options: ReadingThreadsOptions) {
    this.#native = options.native
    this.#reads = new CostlyReads({
      // Leaves one processor for the event loop.
      size: Math.max(1, Math.min(options.costlyPoolSize, availableParallelism() - 1)),
      maxWaiting: options.maxCostlyWaiting,
      waitTimeoutMs: options.waitTimeoutMs,
      timeoutMs: options.readTimeoutMs,
      admission: new Admission(),
      open: () => this.#open(),
      isUsable: (thread) => !thread.isClosed,
      end: (thread) => void thread.end(),
      cancel: (thread) => thread.end(),
    })
  }

  /** Rows as SQLite returns them. @throws DatabaseError */
  async read(read: SentStatement, recipient: Recipient | undefined): Promise<unknown[][]> {
    try {
      return (await this.#reads.run((thread) => thread.run(read), recipient)).rows
    } catch (error) {
      throw classifySqliteError(error)
    }
  }

  load(): ConnectionLoad {
    return { use: 'costly reads', ...this.#reads.load() }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  async #open(): Promise<StatementThread> {
    if (this.#isClosed) throw new DatabaseError('unavailable', 'the database was closed')
    const thread = new StatementThread(this.#native, (closed) => this.#all.delete(closed))
    this.#all.add(thread)
    await thread.opened
    return thread
  }
}
