import type { TableSpec } from '../database.ts'
import type { MadeTable, Mirror } from './mirror.ts'
import type { Answer } from './question.ts'
import type { LiveSchema, LiveTable, SchemaDialect } from './schema-store.ts'

export interface PlanInput {
  /** What there is to be. */
  readonly declared: readonly TableSpec[]
  /** What earlier starts have made, columns and tables that are no longer declared included. */
  readonly last: readonly MadeTable[]
  /** What there is. */
  readonly live: LiveSchema
  readonly dialect: SchemaDialect
  readonly answer: Answer
  /** Whether a renamed column can be kept the same as the one of its earlier name. */
  readonly canMirror: boolean
  /** Whether the column of an earlier name may go by now. */
  readonly mayEnd: (mirror: Mirror) => boolean
}

/** One table that is there, and is to be as declared. */
export interface TableInput {
  readonly table: TableSpec
  readonly last: MadeTable | undefined
  readonly live: LiveTable
  readonly input: PlanInput
}
