import { type SQL, sql } from 'drizzle-orm'
import type { Log } from '../../../../../kernel/index.ts'
import type { DatabaseError } from '../../database-error.ts'
import type { Driver } from '../../driver.ts'
import { KnownTables } from '../../schema/known-tables.ts'
import type { SnapshotSource } from '../../snapshot.ts'
import { type CompiledStatement, compileStatement, isCostly } from '../../statements/compiled-statement.ts'
import type { CostlyReadLimits } from '../../statements/costly-reads.ts'
import type { Recipient, RunResult } from '../../statements/query-target.ts'
import { runTransaction, type TransactionOptions } from '../../statements/run-transaction.ts'
import type { ColumnKinds, Row, Statement, StatementOptions, Values } from '../../statements/statement.ts'
import type { Transaction, TransactionKind } from '../../statements/transaction.ts'
import type { SchemaStore } from '../../sync/schema-store.ts'
import type { TableSpec } from '../../tables/table-spec.ts'
import { ReadingTurns } from './reading-turns.ts'
import { SqliteBackgroundWriter } from './sqlite-background-writer.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { sqliteCompiler, sqliteDialect } from './sqlite-dialect.ts'
import { placeSqliteFile, type SqliteFile } from './sqlite-file.ts'
import type { NativeOptions } from './sqlite-native.ts'
import { SqliteReadingThreads } from './sqlite-reading-threads.ts'
import { createSqliteSchemaStore } from './sqlite-schema-store.ts'
import { SqliteWriter } from './sqlite-writer.ts'

export interface SqliteOptions extends CostlyReadLimits {
  /** A path, or `:memory:`. */
  readonly file: string
  /** How long a write waits for another process that is writing, in milliseconds. */
  readonly busyTimeoutMs: number
  /** How many reads may wait for their turn. */
  readonly maxWaiting: number
  /** How long a read waits for its turn, and a costly read for a thread; in milliseconds. */
  readonly waitTimeoutMs: number
  readonly idleTransactionTimeoutMs: number
  /** Called for each transaction that failed due to lack of space. */
  readonly onFull: (error: DatabaseError) => void
  readonly log: Log
}

// Waiting inside SQLite blocks the whole process. The writer barely does so, since it retries by itself.
const readerBusyTimeoutMs = 1_000
const writerBusyTimeoutMs = 1

const readOnly = ['query_only = ON']

/**
 * Keeps frequently read data in memory: mapped pages belong to the operating system, which evicts them when other
 * programs need memory. The cache is for data that cannot be mapped: the log of recent writes, and the end of a very
 * large file.
 */
const requestMemory = [`mmap_size = ${2 ** 30}`, `cache_size = -${64 * 1024}`]
/** Background work may take longer, but must not take memory from requests. */
const backgroundMemory = ['mmap_size = 0', `cache_size = -${8 * 1024}`]

/**
 * A SQLite file, created if missing. All writes go through one connection, one at a time; reads have a connection of
 * their own, are synchronous unless they have to wait their turn, and see committed data. Costly reads run outside
 * the event loop.
 */
export class SqliteDriver implements Driver {
  readonly dialect = sqliteDialect
  readonly schema: SchemaStore
  readonly snapshotSource: SnapshotSource
  readonly #file: SqliteFile
  readonly #tables = new KnownTables()
  readonly #reader: SqliteConnection
  readonly #turns: ReadingTurns
  readonly #threads: SqliteReadingThreads
  readonly #writer: SqliteWriter
  readonly #background: SqliteBackgroundWriter
  readonly #transactions: TransactionOptions
  readonly #tableCount = this.prepare<{ count: number }>(sql`select count(*) as "count" from sqlite_schema
    where type = 'table' and ${sqliteDialect.inList(sql`name`, 'names', 'text')}`)

  /** @throws DatabaseError if the file cannot be opened or created */
  constructor(options: SqliteOptions) {
    this.#file = placeSqliteFile(options.file)
    const { path: target } = this.#file
    this.snapshotSource = { dialect: 'sqlite', target, connectTimeoutMs: options.busyTimeoutMs }
    const writer = new SqliteWriter(this.#openWriter(), options.busyTimeoutMs)
    this.#writer = writer
    this.#reader = this.#open(readerBusyTimeoutMs, readOnly)
    const { maxWaiting, waitTimeoutMs } = options
    this.#turns = new ReadingTurns({ maxWaiting: () => maxWaiting, waitTimeoutMs })
    this.#threads = new SqliteReadingThreads({
      ...options,
      native: this.#nativeOptions(readerBusyTimeoutMs, readOnly),
    })
    const background = new SqliteBackgroundWriter({
      native: this.#nativeOptions(options.busyTimeoutMs, [], backgroundMemory),
      fullLevel: writer.fullLevel,
      tables: this.#tables,
      reader: this.#reader,
    })
    this.#background = background
    this.#transactions = {
      withSession: (use, kind) => (kind.isBackground === true ? background : writer).withSession(use, kind),
      idleTimeoutMs: options.idleTransactionTimeoutMs,
      onFull: options.onFull,
      log: options.log,
    }
    this.schema = createSqliteSchemaStore(this.#reader, writer)
  }

  prepare<R = Row>(query: SQL, columns: ColumnKinds = {}, options?: StatementOptions): Statement<R> {
    return compileStatement<R>(query, columns, sqliteCompiler, options)
  }

  all<R>(statement: Statement<R>, values?: Values, recipient?: Recipient): R[] | Promise<R[]> {
    if (isCostly(statement)) return this.#readCostly(statement, values, recipient)
    if (this.#reader.isReadOnly(statement)) {
      return this.#turns.run(() => this.#reader.all(statement, values), recipient)
    }
    return this.#writer.write(() => this.#writer.connection.all(statement, values))
  }

  get<R>(
    statement: Statement<R>,
    values?: Values,
    recipient?: Recipient,
  ): R | undefined | Promise<R | undefined> {
    if (isCostly(statement)) {
      return this.#readCostly(statement, values, recipient).then(([first]) => first)
    }
    if (this.#reader.isReadOnly(statement)) {
      return this.#turns.run(() => this.#reader.get(statement, values), recipient)
    }
    return this.#writer.write(() => this.#writer.connection.get(statement, values))
  }

  run(statement: Statement, values?: Values): RunResult | Promise<RunResult> {
    return this.#writer.write(() => this.#writer.connection.run(statement, values))
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T> {
    return runTransaction(work, this.#transactions, kind)
  }

  async ping(): Promise<void> {
    this.#reader.pragma('schema_version')
  }

  load() {
    return [this.#turns.load(), this.#threads.load(), this.#writer.load()]
  }

  async tableCount(): Promise<number> {
    const names = sqliteDialect.list(this.#tables.names, 'text')
    return this.#reader.get(this.#tableCount, { names })?.count ?? 0
  }

  useTables(tables: readonly TableSpec[]): void {
    this.#tables.use(tables)
  }

  async close(): Promise<void> {
    await this.#threads.close()
    await this.#background.close()
    this.#reader.close()
    await this.#writer.close()
    this.#file.remove()
  }

  #openWriter(): SqliteConnection {
    // Two processes that create the file at the same moment wait for each other here.
    const connection = this.#open(readerBusyTimeoutMs, ['journal_mode = WAL'])
    connection.pragma(`busy_timeout = ${writerBusyTimeoutMs}`)
    return connection
  }

  async #readCostly<R>(
    statement: Statement<R>,
    values: Values | undefined,
    recipient: Recipient | undefined,
  ): Promise<R[]> {
    const read = { text: statement.text, values: (statement as CompiledStatement<R>).bind(values) }
    return this.#reader.build(statement, await this.#threads.read(read, recipient))
  }

  #open(busyTimeoutMs: number, pragmas: readonly string[]): SqliteConnection {
    return new SqliteConnection({ ...this.#nativeOptions(busyTimeoutMs, pragmas), tables: this.#tables })
  }

  #nativeOptions(
    busyTimeoutMs: number,
    pragmas: readonly string[],
    memory: readonly string[] = requestMemory,
  ): NativeOptions {
    // An acknowledged write is on disk, except for a database that ends with the process anyway.
    const synchronous = this.#file.isTemporary ? 'OFF' : 'FULL'
    return {
      file: this.#file.path,
      busyTimeoutMs,
      pragmas: [...['foreign_keys = ON', `synchronous = ${synchronous}`], ...memory, ...pragmas],
    }
  }
}
