/** One problem of a payload or query: its path, a code and a message. */
export interface ErrorDetail {
  /** Dotted: `blocks.0.title`. */
  readonly path: string
  readonly code: string
  readonly message: string
}

/** Why the service answers 503. Services of other versions may have further reasons. */
export type UnavailableReason =
  | 'overload'
  | 'queue_full'
  | 'wait_too_long'
  | 'query_too_slow'
  | 'database_away'
  | 'database_busy'
  | 'database_read_only'
  | 'outdated_process'
  | 'schema_changing'
  | 'storage_away'
  | 'too_many_streams'
  | 'file_too_slow'
  | 'file_changed'
  | 'plugin_too_slow'
  | 'backup_failed'
  | 'not_ready'
  | 'starting'
  | 'stopping'
  | 'unspecified'

/** The service, or something in between, has refused a request. */
export class MortiseError extends Error {
  /** `VALIDATION_ERROR`, `FORBIDDEN`, …; `HTTP_ERROR` if the response is not from the service. */
  readonly code: string
  /** The HTTP status. */
  readonly status: number
  /** Of a 503 of the service. */
  readonly reason: UnavailableReason | (string & {}) | undefined
  readonly details: readonly ErrorDetail[]
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** Seconds to wait before retrying, if the service says so. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    options: {
      readonly code: string
      readonly status: number
      readonly reason?: string | undefined
      readonly details?: readonly ErrorDetail[]
      readonly requestId?: string | undefined
      readonly retryAfter?: number | undefined
    },
  ) {
    super(message)
    this.name = 'MortiseError'
    this.code = options.code
    this.status = options.status
    this.reason = options.reason
    this.details = options.details ?? []
    this.requestId = options.requestId
    this.retryAfter = options.retryAfter
  }
}
