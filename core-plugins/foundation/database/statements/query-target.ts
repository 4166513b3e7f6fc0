import type { SQL } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { ColumnKinds, Row, Statement, StatementOptions, Values } from './statement.ts'

/** The party that waits for an answer, such as a request. */
export interface Recipient {
  /** Aborted when the answer is no longer awaited. Read only when needed, as creating one has a cost. */
  readonly signal: AbortSignal
  /**
   * Calls the listener once when the answer is no longer awaited, immediately if that is already so, unless it has
   * been answered. If present, code that only waits uses it instead of the signal.
   */
  onGone?(listener: () => void): void
  /** The caller; callers take turns. The service's own queries have none, and go first. */
  readonly principal?: { readonly kind: string; readonly id?: number } | undefined
}

/**
 * Runs queries: the database itself, or a transaction. Methods may return synchronously (SQLite) or later. A costly
 * statement outside a transaction is aborted when its `recipient` is gone.
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
  /** Runs a write; returns the number of changed rows and the id that an insert generated. */
  run(statement: Statement, values?: Values): RunResult | Promise<RunResult>
}

/** The result of a write. */
export interface RunResult {
  readonly changes: number
  /** For an insert into a table with an `id` column, the first row's id; 0 otherwise. */
  readonly insertId: number
}

/** The database as far as queries need it, to be built and run. */
export interface QueryTarget extends Queries {
  readonly dialect: Dialect
  /** Builds a statement; keep it, and bind values with each run. */
  prepare<R = Row>(query: SQL, columns?: ColumnKinds, options?: StatementOptions): Statement<R>
}
