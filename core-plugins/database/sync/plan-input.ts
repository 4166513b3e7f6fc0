import type { TableSpec } from '../database.ts'
import type { Answer } from './question.ts'
import type { LiveSchema, LiveTable, SchemaDialect } from './schema-store.ts'

export interface PlanInput {
  /** What there is to be. */
  readonly declared: readonly TableSpec[]
  /** What earlier starts have made, columns and tables that are no longer declared included. */
  readonly last: readonly TableSpec[]
  /** What there is. */
  readonly live: LiveSchema
  readonly dialect: SchemaDialect
  readonly answer: Answer
}

/** One table that is there, and is to be as declared. */
export interface TableInput {
  readonly table: TableSpec
  readonly last: TableSpec | undefined
  readonly live: LiveTable
  readonly input: PlanInput
}
