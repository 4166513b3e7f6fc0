/** One problem of a payload or query: its path, a code and a message. */
export interface ErrorDetail {
  /** Dotted: `blocks.0.title`. */
  readonly path: string
  readonly code: string
  readonly message: string
}

/** The service, or something in between, has refused a request. */
export class MortiseError extends Error {
  /** `VALIDATION_ERROR`, `FORBIDDEN`, …; `HTTP_ERROR` if the response is not from the service. */
  readonly code: string
  /** The HTTP status. */
  readonly status: number
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
      readonly details?: readonly ErrorDetail[]
      readonly requestId?: string | undefined
      readonly retryAfter?: number | undefined
    },
  ) {
    super(message)
    this.name = 'MortiseError'
    this.code = options.code
    this.status = options.status
    this.details = options.details ?? []
    this.requestId = options.requestId
    this.retryAfter = options.retryAfter
  }
}
