import { recogniseAcrossCopies } from '../../../kernel/index.ts'
import type { AnswerableError, ErrorAnswer, UnavailableReason } from '../http/http.ts'

/**
 * - `unique`, `reference`: violation of a constraint
 * - `deadlock`: `transaction` retries it
 * - `altered`: the tables have changed since a statement was prepared; it has not run, and `transaction` and
 *   reads outside of one are retried
 * - `busy`: no connection became free, or a lock or an answer took too long; the database is up
 * - `timeout`: a costly read exceeded its time limit
 * - `abandoned`: the caller no longer waits for the answer
 * - `unavailable`: the database does not respond, or the connection was lost
 * - `read_only`: the database accepts no writes at the moment, for example because it is a standby
 * - `full`: no disk space is left to write
 * - `outdated`: this process is of an earlier version, and a later one uses the names of its tables or columns for
 *   something else
 * - `unfit`: the statement does not match the tables, or a value does not fit its column
 * - `aborted`: an earlier query of the transaction has failed; that query's error says why
 */
export type DatabaseErrorKind =
  | 'unique'
  | 'reference'
  | 'deadlock'
  | 'altered'
  | 'busy'
  | 'timeout'
  | 'abandoned'
  | 'unavailable'
  | 'read_only'
  | 'full'
  | 'outdated'
  | 'unfit'
  | 'aborted'
  | 'other'

const tryAgain = { 'retry-after': '1' }

/** The errors sent to clients; other kinds are not revealed to them. */
const answers: Readonly<Partial<Record<DatabaseErrorKind, ErrorAnswer>>> = {
  unavailable: {
    code: 'UNAVAILABLE',
    reason: 'database_away',
    message: 'the database does not answer; try again soon',
    headers: tryAgain,
  },
  busy: {
    code: 'UNAVAILABLE',
    reason: 'database_busy',
    message: 'the database is too busy to serve this in time; try again soon',
    headers: tryAgain,
  },
  altered: {
    code: 'UNAVAILABLE',
    reason: 'schema_changing',
    message: 'the tables of the database are being changed; nothing was stored: try again soon',
    headers: tryAgain,
  },
  timeout: {
    code: 'UNAVAILABLE',
    reason: 'query_too_slow',
    message:
      'the database needs longer for this than it may take (database.readTimeoutMs); ask for less at a time: ' +
      'fewer conditions, above all of those that look into texts or through relations, or a sort by an indexed field',
    headers: tryAgain,
  },
  read_only: {
    code: 'UNAVAILABLE',
    reason: 'database_read_only',
    message: 'the database takes no changes at present; nothing was stored: try again soon',
    headers: tryAgain,
  },
  outdated: {
    code: 'UNAVAILABLE',
    reason: 'outdated_process',
    message: 'this process is of an earlier version than the content types; another one answers this',
    headers: tryAgain,
  },
  abandoned: { code: 'CLIENT_GONE', message: 'the client disconnected' },
  full: {
    code: 'STORAGE_FULL',
    message: 'the database has no room left; nothing was stored: make room and send it again',
  },
}

/** Any failure of a query, reported the same way for every database. */
export class DatabaseError extends Error implements AnswerableError {
  readonly kind: DatabaseErrorKind
  /** The table of a violated constraint, if the database reports it. */
  readonly table: string | undefined
  /** The columns of a violated unique index or reference, if known. */
  readonly columns: readonly string[]
  /** Whether the failure has left nothing behind, and may succeed if it is run again: `transaction` does so. */
  readonly mayRepeat: boolean
  /** What an operator can do about a database that cannot be opened, if known. */
  readonly remedy: string | undefined
  readonly #reason: UnavailableReason | undefined

  /**
   * `reason` refines the kind for errors that are answered with 503; `mayRepeat` follows from the kind by default.
   */
  constructor(
    kind: DatabaseErrorKind,
    message: string,
    details: {
      table?: string | undefined
      columns?: readonly string[]
      reason?: UnavailableReason
      mayRepeat?: boolean
      remedy?: string
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: details.cause })
    this.name = 'DatabaseError'
    this.kind = kind
    this.table = details.table
    this.columns = details.columns ?? []
    this.mayRepeat = details.mayRepeat ?? (kind === 'deadlock' || kind === 'altered')
    this.remedy = details.remedy
    this.#reason = details.reason
  }

  get answerForClient(): ErrorAnswer | undefined {
    const answer = answers[this.kind]
    const reason = this.#reason
    return answer?.code === 'UNAVAILABLE' && reason !== undefined ? { ...answer, reason } : answer
  }
}

recogniseAcrossCopies(DatabaseError, 'DatabaseError')

/** True for a write rejected by a unique index. */
export function isUniqueViolation(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.kind === 'unique'
}

/** The error of a read whose recipient is gone. */
export function abandoned(): DatabaseError {
  return new DatabaseError('abandoned', 'nobody waits for the answer any more')
}
