/** One problem of a payload or query: where, which rule, in words. */
export interface ErrorDetail {
  /** Dotted: `blocks.0.title`. */
  readonly path: string
  readonly code: string
  readonly message: string
}

/** The service has refused a request, or something between has. */
export class MortiseError extends Error {
  /** `VALIDATION_ERROR`, `FORBIDDEN`, …; `HTTP_ERROR` where the answer is not the service's. */
  readonly code: string
  /** The HTTP status. */
  readonly status: number
  readonly details: readonly ErrorDetail[]
  /** By which the log of the service knows the request. */
  readonly requestId: string | undefined
  /** Seconds to wait before trying again, where the service says so. */
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
