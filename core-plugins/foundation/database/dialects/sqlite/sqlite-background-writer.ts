import { createMailbox } from '../../../../../kernel/index.ts'
import { DatabaseError } from '../../database-error.ts'
import type { KnownTables } from '../../schema/known-tables.ts'
import { type CompiledStatement, insertedTable } from '../../statements/compiled-statement.ts'
import type { RunResult } from '../../statements/query-target.ts'
import type { Session } from '../../statements/run-transaction.ts'
import type { Row, Statement, Values } from '../../statements/statement.ts'
import type { TransactionKind } from '../../statements/transaction.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { classifySqliteError } from './sqlite-error.ts'
import type { NativeOptions } from './sqlite-native.ts'
import { relaxedLevel } from './sqlite-writer.ts'
import { type StatementResult, StatementThread } from './statement-thread.ts'

export interface BackgroundWriterOptions {
  readonly native: NativeOptions
  /** SQLite's `synchronous` level for commits that reach the disk. */
  readonly fullLevel: number
  readonly tables: KnownTables
  /** Builds the rows of a statement's result. */
  readonly reader: SqliteConnection
}

/** A thread that is idle for this many milliseconds ends. */
const idleMs = 10_000

/**
 * Runs transactions on a thread, one at a time, so that the event loop can serve requests meanwhile: at a commit,
 * SQLite's work on the full-text index and the disk takes much longer than the statements. For the connection that
 * writes for requests, it is like another process.
 */
export class SqliteBackgroundWriter {
  readonly #options: BackgroundWriterOptions
  readonly #mailbox = createMailbox()
  #thread: StatementThread | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: BackgroundWriterOptions) {
    this.#options = options
  }

  withSession<T>(
    use: (session: Session) => Promise<T>,
    { durability = 'full' }: TransactionKind,
  ): Promise<T> {
    return this.#mailbox.run(async () => {
      const thread = await this.#opened()
      try {
        const level = durability === 'full' ? this.#options.fullLevel : relaxedLevel
        if (this.#options.fullLevel > relaxedLevel)
          await this.#execute(thread, `pragma synchronous = ${level}`)
        await this.#execute(thread, 'begin immediate')
        return await use(this.#sessionOn(thread))
      } finally {
        this.#endWhenIdle()
      }
    })
  }

  /** Closes after pending work. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#mailbox.idle()
    await this.#end()
  }

  #sessionOn(thread: StatementThread): Session {
    const { reader, tables } = this.#options
    const inTurn = createMailbox()
    const send = async (statement: Statement<unknown>, values: Values | undefined) => {
      const sent = { text: statement.text, values: (statement as CompiledStatement<unknown>).bind(values) }
      try {
        return await inTurn.run(() => thread.run(sent))
      } catch (error) {
        throw classifySqliteError(error, tables)
      }
    }
    const all = async <R>(statement: Statement<R>, values?: Values): Promise<R[]> =>
      reader.build(statement, (await send(statement, values)).rows)
    return {
      all,
      get: async (statement, values) => (await all(statement, values))[0],
      run: async (statement, values) => this.#ranAs(statement, await send(statement, values)),
      commit: async (sent) => {
        await sent
        await inTurn.run(() => this.#execute(thread, 'commit'))
      },
      rollback: () => inTurn.run(() => this.#rollBack(thread)),
    }
  }

  #ranAs(statement: Statement<Row>, { rows, changes, lastInsertRowid }: StatementResult): RunResult {
    if (rows.length > 0) return { changes: rows.length, insertId: 0 }
    const hasInsertId = this.#options.tables.idColumn(insertedTable(statement.text)) !== undefined
    return { changes, insertId: hasInsertId ? lastInsertRowid - Math.max(changes - 1, 0) : 0 }
  }

  async #execute(thread: StatementThread, text: string): Promise<void> {
    try {
      await thread.run({ text, values: [] })
    } catch (error) {
      throw classifySqliteError(error)
    }
  }

  async #rollBack(thread: StatementThread): Promise<void> {
    try {
      await thread.run({ text: 'rollback', values: [] })
    } catch {
      // SQLite has rolled back by itself, or did so when the thread ended.
    }
  }

  async #opened(): Promise<StatementThread> {
    clearTimeout(this.#idleTimer)
    if (this.#isClosed) throw new DatabaseError('unavailable', 'the database was closed')
    if (this.#thread === undefined || this.#thread.isClosed)
      this.#thread = new StatementThread(this.#options.native, () => undefined)
    const thread = this.#thread
    try {
      await thread.opened
      return thread
    } catch (error) {
      throw classifySqliteError(error)
    }
  }

  #endWhenIdle(): void {
    this.#idleTimer = setTimeout(() => void this.#end(), idleMs)
    this.#idleTimer.unref()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idleTimer)
    await this.#thread?.end()
    this.#thread = undefined
  }
}
