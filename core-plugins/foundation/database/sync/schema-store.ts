import type { SQL } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { Queries } from '../statements/query-target.ts'
import type { ColumnKinds, Row, Statement } from '../statements/statement.ts'
import type { ColumnSpec, IndexSpec, TableSpec } from '../tables/table-spec.ts'
import type { LiveSchema, LiveTable } from './live-schema.ts'
import type { Step, StepOf } from './step.ts'

/** The type names of one database, and the SQL that changes its schema. It only creates SQL and runs none. */
export interface SchemaDialect {
  columnType(column: ColumnSpec): string
  /** The kind of a database type, if the service uses that type. */
  kindOf(type: string): Pick<ColumnSpec, 'kind' | 'length'> | undefined
  /** False for an index that this database does not need. */
  hasIndex(index: IndexSpec, table: TableSpec): boolean
  /** The statements that carry out `steps` in order, on a database whose tables are `live`. */
  statements(steps: readonly Step[], live: LiveSchema): string[]
  /**
   * The statements that convert a column to another kind exactly as `convertValue` does, and lose no
   * concurrent writes; undefined if this database cannot express it.
   */
  conversion(step: StepOf<'convert-column'>, table: LiveTable): string[] | undefined
  /**
   * The statements that block concurrent writes to a table until those of `unlock`, or until the end of the
   * transaction.
   */
  lock(table: string): string[]
  readonly unlock: string[]
  /** The statements that replace the column `name` with the column `temporary`. */
  replaceColumn(table: LiveTable, name: string, temporary: string): string[]
}

/** A connection for reading and changing the schema. */
export interface SchemaConnection extends Queries {
  readonly dialect: Dialect
  readonly schemaDialect: SchemaDialect
  prepare<R = Row>(query: SQL, columns?: ColumnKinds): Statement<R>
  /** Runs one statement that changes the schema. */
  execute(statement: string): Promise<void>
  introspect(): Promise<LiveSchema>
  /** Whether a renamed column can be kept in sync with the one under its earlier name. May try it out. */
  canMirror(): Promise<boolean>
}

/** The schema of a database. */
export interface SchemaStore {
  /** Reads without a lock. */
  inspect<T>(work: (connection: SchemaConnection) => Promise<T>): Promise<T>
  /**
   * Runs `work` while no other process changes the schema. If it fails, its changes are rolled back, except
   * on MySQL: there every step must leave a state from which the next start can continue.
   */
  exclusively<T>(work: (connection: SchemaConnection) => Promise<T>): Promise<T>
  /** Whether an error means that a table does not exist. */
  isMissingTable(error: unknown): boolean
}
