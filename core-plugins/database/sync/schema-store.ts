import type { SQL } from 'drizzle-orm'
import type {
  ColumnKind,
  ColumnKinds,
  ColumnSpec,
  Dialect,
  IndexSpec,
  Queries,
  ReferenceSpec,
  Row,
  Statement,
  TableSpec,
} from '../database.ts'
import type { Step, StepOf } from './step.ts'

/** A column as it is in the database. */
export interface LiveColumn {
  readonly name: string
  /** In the database's own words, spelled as `columnType` of its schema dialect spells it. */
  readonly type: string
  readonly nullable: boolean
  /** The default as SQL. */
  readonly default: string | null
}

/** An index as it is in the database. */
export interface LiveIndex {
  readonly name: string
  readonly columns: readonly string[]
  /** The statement that made it, where the database keeps that. */
  readonly sql?: string | undefined
  /** Of each column, where the database orders nulls as the index says: whether it has them first. */
  readonly nullsFirst?: readonly boolean[] | undefined
}

/** A reference as it is in the database. */
export interface LiveReference extends ReferenceSpec {
  /** The name of the constraint, where it has one. */
  readonly constraint?: string | undefined
}

/** A table as it is in the database. */
export interface LiveTable {
  readonly name: string
  readonly columns: ReadonlyMap<string, LiveColumn>
  readonly primaryKey: readonly string[]
  readonly indexes: ReadonlyMap<string, LiveIndex>
  readonly references: readonly LiveReference[]
}

export type LiveSchema = ReadonlyMap<string, LiveTable>

/** What one database calls things, and how it changes them. Pure: it makes SQL and runs none. */
export interface SchemaDialect {
  columnType(column: ColumnSpec): string
  /** The kind that a type found in the database stands for, where it is one of ours. */
  kindOf(type: string): Pick<ColumnSpec, 'kind' | 'length'> | undefined
  /** False for an index that this database does without. */
  hasIndex(index: IndexSpec, table: TableSpec): boolean
  /** The statements that carry out `steps`, one after the other, on a database whose tables are `live`. */
  statements(steps: readonly Step[], live: LiveSchema): string[]
  /**
   * The statements that write a column anew in another kind exactly as `convertValue` does, and lose nothing that
   * others write meanwhile; undefined where this database has no words for it.
   */
  conversion(step: StepOf<'convert-column'>, table: LiveTable): string[] | undefined
  /** The statements after which nobody else writes to a table, until those of `unlock` or the end of the transaction. */
  lock(table: string): string[]
  readonly unlock: string[]
  /** The statements that put the column `temporary` in the place of the column `name`. */
  replaceColumn(table: LiveTable, name: string, temporary: string): string[]
}

/** A connection on which the schema is read and changed. */
export interface SchemaConnection extends Queries {
  readonly dialect: Dialect
  readonly schemaDialect: SchemaDialect
  prepare<R = Row>(query: SQL, columns?: ColumnKinds): Statement<R>
  /** Runs one statement that changes the schema. */
  execute(statement: string): Promise<void>
  introspect(): Promise<LiveSchema>
  /** Whether a renamed column can be kept the same as the one of its earlier name. May try it out. */
  canMirror(): Promise<boolean>
}

/** The schema of a database. */
export interface SchemaStore {
  /** Reads without a lock. */
  inspect<T>(work: (connection: SchemaConnection) => Promise<T>): Promise<T>
  /**
   * Runs `work` while no other process changes the schema. What it has done is undone when it fails, but not on MySQL:
   * there every step must be one that the next start can go on from.
   */
  exclusively<T>(work: (connection: SchemaConnection) => Promise<T>): Promise<T>
  /** Whether an error says that a table is not there. */
  isMissingTable(error: unknown): boolean
}

/** Kinds whose values are kept in the same way and mean the same. */
export function isIntegerKind(kind: ColumnKind): boolean {
  return kind === 'id' || kind === 'reference' || kind === 'integer' || kind === 'bigint'
}
