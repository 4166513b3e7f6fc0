import type { TableSpec } from '../tables/table-spec.ts'
import type { LiveSchema, LiveTable } from './live-schema.ts'
import type { MadeTable, Mirror } from './mirror.ts'
import type { Answer } from './question.ts'
import type { SchemaDialect } from './schema-store.ts'

export interface PlanInput {
  /** The declared tables. */
  readonly declared: readonly TableSpec[]
  /** What earlier starts created, including columns and tables that are no longer declared. */
  readonly last: readonly MadeTable[]
  /** The existing tables. */
  readonly live: LiveSchema
  readonly dialect: SchemaDialect
  readonly answer: Answer
  /** Whether a renamed column can be kept in sync with the one under its earlier name. */
  readonly canMirror: boolean
  /** Whether the copy of a column under an earlier name may be dropped by now. */
  readonly mayEnd: (mirror: Mirror) => boolean
}

/** An existing table and its declaration. */
export interface TableInput {
  readonly table: TableSpec
  readonly last: MadeTable | undefined
  readonly live: LiveTable
  readonly input: PlanInput
}
