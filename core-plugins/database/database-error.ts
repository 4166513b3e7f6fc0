/**
 * - `unique`, `reference`: what a constraint refuses
 * - `deadlock`: runs again by itself in `transaction`
 * - `busy`: no connection became free, a lock or an answer took too long; the database is there
 * - `timeout`: a costly read took longer than it may
 * - `abandoned`: nobody waits for the answer any more
 * - `unavailable`: it does not answer, or the connection was lost
 * - `full`: there is no room left to write to
 */
export type DatabaseErrorKind =
  | 'unique'
  | 'reference'
  | 'deadlock'
  | 'busy'
  | 'timeout'
  | 'abandoned'
  | 'unavailable'
  | 'full'
  | 'other'

/** Any failure of a query, told the same way whatever the database. */
export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind
  /** The table of a violated constraint, where the database tells it. */
  readonly table: string | undefined
  /** The columns of a violated unique index or reference, where they can be told. */
  readonly columns: readonly string[]

  constructor(
    kind: DatabaseErrorKind,
    message: string,
    details: { table?: string | undefined; columns?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.name = 'DatabaseError'
    this.kind = kind
    this.table = details.table
    this.columns = details.columns ?? []
  }
}

/** True for a write that a unique index refused. */
export function isUniqueViolation(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.kind === 'unique'
}

/** What becomes of a read whose recipient has gone. */
export function abandoned(): DatabaseError {
  return new DatabaseError('abandoned', 'nobody waits for the answer any more')
}
