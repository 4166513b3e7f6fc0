import type { ReferenceSpec } from '../tables/table-spec.ts'

/** A column as it is in the database. */
export interface LiveColumn {
  readonly name: string
  /** In the spelling of `columnType` of the schema dialect. */
  readonly type: string
  readonly nullable: boolean
  /** The default as SQL. */
  readonly default: string | null
}

/** An index as it is in the database. */
export interface LiveIndex {
  readonly name: string
  readonly columns: readonly string[]
  /** The statement that created it, if the database keeps that. */
  readonly sql?: string | undefined
  /** For each column, whether nulls come first, if the database stores the order of nulls with the index. */
  readonly nullsFirst?: readonly boolean[] | undefined
}

/** A reference as it is in the database. */
export interface LiveReference extends ReferenceSpec {
  /** The name of the constraint, if it has one. */
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
