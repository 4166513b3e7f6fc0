import type { SQL } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { ColumnKinds, Row, Statement, StatementOptions, Values } from './statement.ts'

/** Whoever waits for an answer, such as a request. */
export interface Recipient {
  /** Aborted when nobody waits any more. Read only when needed, as creating one has a cost. */
  readonly signal: AbortSignal
  /**
   * Calls the listener once when nobody waits any more, at once if nobody does already, unless it has been answered.
   * What has this is asked for no signal by those who only wait.
   */
  onGone?(listener: () => void): void
  /** Who asks; callers take turns. What the service asks by itself has none, and goes first. */
  readonly principal?: { readonly kind: string; readonly id?: number } | undefined
}

/**
 * Runs queries: the database itself, or a transaction. Methods may return synchronously (SQLite) or later. A
 * costly statement outside a transaction is aborted when its `recipient` is gone.
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
  /** Runs a write; returns how many rows it changed and the id that an insert generated. */
  run(statement: Statement, values?: Values): RunResult | Promise<RunResult>
}

/** What a statement that writes has done. */
export interface RunResult {
  readonly changes: number
  /** For an insert into a table with an `id` column, the first row's id; 0 otherwise. */
  readonly insertId: number
}

/** What queries are built for and run on. */
export interface QueryTarget extends Queries {
  readonly dialect: Dialect
  /** Builds a statement; keep it, and bind values with each run. */
  prepare<R = Row>(query: SQL, columns?: ColumnKinds, options?: StatementOptions): Statement<R>
}
