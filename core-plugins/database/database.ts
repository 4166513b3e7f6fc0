import type { SQL } from 'drizzle-orm'
import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type ServiceToken,
  service,
} from '../../kernel/index.ts'
import type { Principal } from '../http/http.ts'
import type { DatabaseError } from './database-error.ts'
import type { WaitingRows } from './waiting-rows.ts'

export { tableProblems } from './assert-tables.ts'
export { DatabaseError, type DatabaseErrorKind, isUniqueViolation } from './database-error.ts'
export { type InsertMany, insertMany } from './insert-many.ts'
export {
  type Columns,
  type InList,
  insertInto,
  type Query,
  query,
  selectList,
  setList,
  type Value,
} from './query.ts'
export { afterWork, untilCommit } from './until-commit.ts'
export type { Explain } from './waiting-rows.ts'

export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/**
 * What a column holds, as the rest of the code sees values:
 *
 * | kind | value |
 * |---|---|
 * | id, reference, integer | number (safe integer) |
 * | bigint, decimal | number where that is exact, otherwise string with all digits; bound as number, string or bigint |
 * | boolean | boolean |
 * | string, text | string, compared by code point; `string` has a `length` and can be indexed |
 * | date | `YYYY-MM-DD` |
 * | datetime | ISO 8601 in UTC with milliseconds, `2026-01-31T08:00:00.000Z` |
 * | json | any JSON value |
 */
export type ColumnKind =
  | 'id'
  | 'reference'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'boolean'
  | 'string'
  | 'text'
  | 'date'
  | 'datetime'
  | 'json'

export interface ColumnSpec {
  /** snake_case. */
  readonly name: string
  readonly kind: ColumnKind
  /** Characters of a `string`; 255 unless told otherwise. */
  readonly length?: number
  /** False unless told otherwise. */
  readonly nullable?: boolean
  /** Given to existing rows when a column that may not be null is added. */
  readonly default?: string | number | boolean | null
  /** The column's earlier name, whose data it takes over. */
  readonly renamedFrom?: string
  /** A column whose values the rows that are there get when this one is added, or declared again. */
  readonly filledFrom?: string
}

export interface IndexSpec {
  readonly columns: readonly string[]
  /** Those of the columns whose order goes down, so that the index is in an order that goes both ways. */
  readonly descending?: readonly string[]
  /** `unique` tells case, accents and trailing spaces apart; nulls never collide. */
  readonly type: 'index' | 'unique' | 'fulltext'
}

export interface ReferenceSpec {
  readonly column: string
  /** The table whose `id` the column holds. */
  readonly table: string
  readonly onDelete: 'cascade' | 'set null' | 'restrict'
}

/** A table, the same for all databases. */
export interface TableSpec {
  readonly name: string
  /** The first one of kind `id`, if any, is the primary key and counts up by itself. */
  readonly columns: readonly ColumnSpec[]
  /** For tables without an `id` column. */
  readonly primaryKey?: readonly string[]
  readonly indexes?: readonly IndexSpec[]
  readonly references?: readonly ReferenceSpec[]
  readonly endingDrafts?: EndingDrafts
}

/** A table whose rows are to be hidden by no time of publication any more, while some still are. */
export interface EndingDrafts {
  /** What the rows are, as decisions about them name it. */
  readonly type: string
  /** The time of publication. */
  readonly column: string
  /** Set in rows that are deleted, and hidden for that. */
  readonly deletedColumn?: string
}

/** Makes public, or deletes, whatever a type hides as drafts; `safe-sync` asks for it. */
export interface DraftEnding {
  /** All of them, scheduled ones included. @throws AppError as writes do */
  end(request: DraftEndingRequest): Promise<void>
}

export interface DraftEndingRequest {
  readonly type: string
  readonly decision: 'publish' | 'delete'
  readonly principal: Principal
  readonly ip: string
}

/** Whoever keeps rows that `endingDrafts` is about. */
export const draftEndings: ExtensionPoint<DraftEnding> = extensionPoint('draftEndings')

/** What the syncs before this start have made; of another plugin's tables it says nothing that was not declared. */
export interface SchemaRecord {
  /** Whether the last sync made the column because it was declared. */
  declared(table: string, column: string): Promise<boolean>
}

export const schemaRecordService: ServiceToken<SchemaRecord> = service('schema-record')

/** Tables of all plugins; contribute in `register` or `init`. They exist when the database has booted. */
export const tables: ExtensionPoint<TableSpec> = extensionPoint('tables')

/** A row as the driver port answers it: values by column alias, decoded to application values. */
export type Row = Record<string, unknown>

/** Values for the placeholders (`sql.placeholder(name)`) of a statement. */
export type Values = Readonly<Record<string, unknown>>

/**
 * A query whose text is built once and run many times. `columns` tells the kind of each selected alias,
 * so that rows come back as application values; aliases not named come as the driver gives them.
 */
export interface Statement<R = Row> {
  readonly text: string
  /** Never set: it carries the row's type only. */
  readonly row?: R
}

/** The kinds of selected columns by alias. */
export type ColumnKinds = Readonly<Record<string, ColumnKind>>

/** Whoever waits for an answer, such as a request. */
export interface Recipient {
  /** Aborted when nobody waits any more. Asked for only where it is needed, as making one costs something. */
  readonly signal: AbortSignal
}

/**
 * Runs queries: the database itself, or a transaction. Methods may answer at once (SQLite) or later. A costly statement
 * that is run outside of a transaction is given up when its `recipient` is gone.
 * @throws DatabaseError
 */
export interface Queries {
  /** All rows. */
  all<R>(statement: Statement<R>, values?: Values, recipient?: Recipient): R[] | Promise<R[]>
  /** The first row, if any. */
  get<R>(
    statement: Statement<R>,
    values?: Values,
    recipient?: Recipient,
  ): R | undefined | Promise<R | undefined>
  /** Runs a write; tells how many rows it changed and the id that an insert made. */
  run(statement: Statement, values?: Values): RunResult | Promise<RunResult>
}

export interface RunResult {
  readonly changes: number
  /** Of an insert into a table with an `id` column; 0 otherwise. Of several rows: the first one's. */
  readonly insertId: number
}

/** Open until the callback of `transaction` ends. */
export interface Transaction extends Queries {
  /**
   * Runs in the transaction when all of its work is done, one after the other, in the order added: for what is left to
   * be done about many things that were done one by one. What it throws rolls everything back.
   */
  beforeCommit(action: () => unknown): void
  /**
   * Runs after all of those, together with others: for rows that tell what was done, which others neither write nor
   * read. What it throws rolls everything back.
   */
  withCommit(action: () => unknown): void
  /** See `InsertMany.soon`. */
  insertSoon(rows: WaitingRows): void
  /** Runs after the commit, never after a rollback, in the order added. What it throws is logged. */
  afterCommit(action: () => unknown): void
}

/** What differs between the databases, as pieces of SQL. */
export interface Dialect {
  readonly name: DialectName
  /** Case folded for Unicode, accents kept; the same on every database. */
  fold(text: SQL): SQL
  /** Literal: `%` and `_` in `part` mean themselves. Case-sensitive. */
  contains(text: SQL, part: SQL): SQL
  startsWith(text: SQL, part: SQL): SQL
  endsWith(text: SQL, part: SQL): SQL
  /** True where `value` is among the elements of the array bound to placeholder `name` (see `list`). */
  inList(value: SQL, name: string, kind: ColumnKind): SQL
  /** False where an update or delete by `inList` would go through the whole table; `query` writes the items out there. */
  readonly isListFastInWrites: boolean
  /** The form in which an array is bound for `inList`. */
  list(items: readonly unknown[], kind: ColumnKind): unknown
  /** A placeholder for a value of a kind, with the cast that the database needs to compare it exactly. */
  placeholder(name: string, kind: ColumnKind): SQL
  /** The form in which a value of a kind is bound. */
  bind(value: unknown, kind: ColumnKind): unknown
  /** Orders nulls first when ascending and last when descending, everywhere. */
  orderBy(expression: SQL, direction: 'asc' | 'desc', nullable: boolean): SQL
  /** True where a related row has `value` as its key; false or unknown otherwise. */
  isRelated(value: SQL, related: RelatedRows): SQL
  /** The exact opposite of `isRelated`, and never unknown. */
  isUnrelated(value: SQL, related: RelatedRows): SQL
  /**
   * `from …` for the rows of `table` whose `id` is among those that `page` answers, a select of a single column `id`.
   * It is run first, whatever the planner thinks of its limit, and no other row is read.
   */
  fromPage(table: SQL, id: SQL, page: SQL): SQL
  /** The ids in `column` of all rows of a group, joined by commas, in the order of `orderBy`; null for none. */
  joinIds(column: SQL, orderBy: SQL): SQL
  /** What to select to read a column of a kind without loss. */
  select(column: SQL, kind: ColumnKind): SQL
  /**
   * The exact sum of the numbers in `column`, of kind `decimal` whatever the column's; null over nothing. Where one
   * number cannot hold it, several that add up to it. Ordering by them in turn orders by the sum.
   */
  sum(column: SQL, kind: ColumnKind): readonly SQL[]
  /** Ordering by these orders by a sum (see `sum`) divided by a count, to 30 digits; null for a count of 0. */
  quotient(sum: readonly SQL[], count: SQL): readonly SQL[]
  /** The smallest or largest value in `column`, of the column's kind; null over nothing. Not of JSON. */
  extreme(which: 'min' | 'max', column: SQL, kind: ColumnKind): SQL
  /** Locks the selected rows until the end of the transaction where the database has row locks. */
  readonly forUpdate: SQL
  /**
   * As `forUpdate`, for rows that stay: where the database can tell, others may point foreign keys at them meanwhile,
   * and two rows that come to point at each other do not wait for each other. The same object where it cannot tell.
   */
  readonly forChange: SQL
  /**
   * Whether a select that had to wait for its locks reads other tables as they are after that. On PostgreSQL it reads
   * them as they were before, and only the locked rows anew.
   */
  readonly readsAfterLocks: boolean
  /** As `forUpdate`, but rows that somebody else has locked are left out instead of waited for. */
  readonly forUpdateSkipLocked: SQL
  /** One statement of inserts into different tables; missing where the database has none. */
  insertsTogether?(inserts: readonly SQL[]): SQL
  /** At the end of an insert: rows that a unique index refuses are left out. `column` is any of the table's. */
  ignoreDuplicates(column: string): SQL
  /**
   * A query that lets ids go on above those that are in the table, after rows were inserted with ids of their own;
   * undefined where the database sees to that itself.
   */
  advanceIds(table: string, column: string): SQL | undefined
}

/** Rows that a value leads to by one of their columns; their SQL knows nothing of where the value comes from. */
export interface RelatedRows {
  readonly key: SQL
  readonly from: SQL
  readonly where: SQL
}

/** The connections of one use. */
export interface ConnectionLoad {
  readonly use: 'queries' | 'costly reads' | 'transactions' | 'writes'
  readonly open: number
  readonly busy: number
  /** Queries or transactions that wait for a connection. */
  readonly waiting: number
}

export interface StatementOptions {
  /**
   * A read that may take the database long. Outside of transactions it gets one of a few connections of its own, where it
   * is in nobody's way, may take `database.readTimeoutMs`, and ends when nobody waits for it any more.
   */
  readonly isCostly?: boolean
}

/** What queries are built for, and run on. */
export interface QueryTarget extends Queries {
  readonly dialect: Dialect
  /** Builds a statement; keep it, and bind values with each run. */
  prepare<R = Row>(query: SQL, columns?: ColumnKinds, options?: StatementOptions): Statement<R>
}

/**
 * The database as it was at one moment, whatever is written meanwhile. Nothing can be written through it. Its queries
 * have no time limit.
 */
export interface Snapshot extends QueryTarget {
  close(): Promise<void>
}

/** What `openSnapshot` needs, in a form that can be sent to another thread. It may hold a password. */
export interface SnapshotSource {
  readonly dialect: DialectName
  readonly target: string
  readonly connectTimeoutMs: number
}

/** Opens a snapshot on a connection of its own, on whatever thread this is called. @throws DatabaseError */
export async function openSnapshot(source: SnapshotSource): Promise<Snapshot> {
  // Imported when needed: whoever names a type of the database should not load its drivers.
  const { openSnapshotOf } = await import('./open-snapshot.ts')
  return openSnapshotOf(source)
}

/**
 * What a commit outlives. `full`: a power cut. `relaxed`: the death of the process, but when the machine goes down the
 * last moments before it may be undone, in order; for what is then simply done again, as it saves waiting for the disk.
 * MySQL knows no such difference, and is always `full`.
 */
export type Durability = 'full' | 'relaxed'

export interface TransactionKind {
  /** `full` unless told otherwise. */
  readonly durability?: Durability
  /**
   * Runs a few queries and waits for nothing else. On SQLite those that come at the same time share a commit; one that is
   * rolled back may have the others run again.
   */
  readonly isBrief?: boolean
}

/** The connection to the one database of the service. */
export interface Database extends QueryTarget {
  /** For `openSnapshot`. */
  readonly snapshotSource: SnapshotSource
  /**
   * Runs `work` in a transaction and answers its result after the commit. A deadlock or a serialization
   * failure runs it again, up to three times, so it must have no effects outside of the transaction. A failed
   * query fails the whole transaction, also when its error is caught. Inside of `work` only `tx` may be used:
   * on SQLite a write beside it would wait for it.
   * @throws DatabaseError, or whatever `work` throws, after the rollback
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T>
  /** Resolves if the database answers. @throws DatabaseError of kind `unavailable` */
  ping(): Promise<void>
  /** How busy the connections of this process are. */
  load(): readonly ConnectionLoad[]
  /** The number of tables that the service has. */
  tableCount(): Promise<number>
  /** Undefined where the database passes no messages on: all but PostgreSQL. */
  readonly notifications?: Notifications
}

/** Messages between all processes that use the database. What nobody listens to at the moment is lost. */
export interface Notifications {
  /** Tells all who listen, this process included. At most 7,999 bytes. @throws DatabaseError */
  send(channel: string, message: string): Promise<void>
  /** Listens in the background, on a connection that is opened again whenever it is lost. */
  listen(channel: string, listener: NotificationListener): NotificationLine
}

export interface NotificationListener {
  message(text: string): void
  /** From now on messages are heard, until `lost`. */
  opened(): void
  lost(): void
}

export interface NotificationLine {
  /** Connects anew, where the connection seems to be dead without having been lost. */
  restart(): void
  stop(): Promise<void>
}

/** A difference between the database and the declared tables; decisions.md, 10. */
export interface SchemaChange {
  /** What would be done: `drop-column`, `convert-column`, `create-unique-index`, … */
  readonly change: string
  readonly table: string
  /** Several of an index joined by commas; null where a whole table is meant. */
  readonly column: string | null
  /** Whether it loses nothing. */
  readonly safe: boolean
  /** Why it is not safe. */
  readonly reason: string | null
}

/** A sync left changes undone, as they would lose something; told at every start until they are applied. */
export const schemaSyncBlocked: HookToken<{ changes: readonly SchemaChange[] }> = hook('database:syncBlocked')

/** The tables were compared with what is declared, at the start or on demand; `blocked` is what is left undone. */
export const schemaSynced: HookToken<{ blocked: readonly SchemaChange[] }> = hook('database:synced')

/** The database had no room for a write, and still has none: told every few seconds until `storageFreed`. */
export const storageFull: HookToken<{ error: DatabaseError }> = hook('database:storageFull')

/** There is room again. */
export const storageFreed: HookToken<Record<string, never>> = hook('database:storageFreed')

export const databaseService: ServiceToken<Database> = service('database')
