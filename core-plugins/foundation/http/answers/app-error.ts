import { recogniseAcrossCopies } from '../../../../kernel/index.ts'
import { asUnavailableReason, type UnavailableReason } from './unavailable-reasons.ts'

/** See docs/http.md. */
export type ErrorCode =
  | 'INVALID_JSON'
  | 'VALIDATION_ERROR'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'RESTRICTED'
  | 'INVALID_TRANSITION'
  | 'NOT_PUBLISHABLE'
  | 'CURSOR_EXPIRED'
  | 'PRECONDITION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'SETTING_LOCKED'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  /** Never shown to clients: for logs and metrics. */
  | 'CLIENT_GONE'
  | 'INTERNAL_ERROR'
  | 'BAD_GATEWAY'
  | 'UNAVAILABLE'
  | 'STORAGE_FULL'

const statuses: Readonly<Record<ErrorCode, number>> = {
  INVALID_JSON: 400,
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  RESTRICTED: 409,
  INVALID_TRANSITION: 409,
  NOT_PUBLISHABLE: 409,
  CURSOR_EXPIRED: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  SETTING_LOCKED: 423,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  // As web servers log it.
  CLIENT_GONE: 499,
  INTERNAL_ERROR: 500,
  BAD_GATEWAY: 502,
  UNAVAILABLE: 503,
  STORAGE_FULL: 507,
}

/** One problem of a payload: where, which rule, in words. */
export interface ErrorDetail {
  /** Dotted: `blocks.0.title`. */
  readonly path: string
  readonly code: string
  readonly message: string
}

/** The payload as a whole has an empty path. */
function subjectOf({ path }: ErrorDetail): string {
  return path === '' ? 'the body' : `${path}:`
}

/** What an error reports besides its code and message. */
export interface AppErrorOptions {
  readonly details?: readonly ErrorDetail[] | undefined
  /** Sent with the answer, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** Options with a reason, which is reported if the code is UNAVAILABLE. */
export interface ReasonedOptions extends AppErrorOptions {
  readonly reason: UnavailableReason
}

/** An error reported to the client; anything else that is thrown becomes INTERNAL_ERROR. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** Set for every 503, and only for those. */
  readonly reason: UnavailableReason | undefined
  readonly details: readonly ErrorDetail[] | undefined
  /** Sent with the answer, e.g. `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: Exclude<ErrorCode, 'UNAVAILABLE'>, message: string, options?: AppErrorOptions)
  constructor(code: ErrorCode, message: string, options: ReasonedOptions)
  constructor(code: ErrorCode, message: string, options: AppErrorOptions & Partial<ReasonedOptions> = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.reason = code === 'UNAVAILABLE' ? asUnavailableReason(options.reason) : undefined
    this.details = options.details
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return statuses[this.code]
  }

  /** The same error with another message. */
  static reworded({ code, reason }: AppError, message: string, options: AppErrorOptions): AppError {
    return new AppError(code, message, { ...options, reason: asUnavailableReason(reason) })
  }

  /** 400 with all problems of a payload or query. */
  static invalid(details: readonly ErrorDetail[]): AppError {
    const first = details[0]
    const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
    const message = first === undefined ? 'invalid' : `${subjectOf(first)} ${first.message}${more}`
    return new AppError('VALIDATION_ERROR', message, { details })
  }

  /**
   * 507: there is no room for what was sent. `what` names the place as a clause: `the disk of the files is
   * full`.
   */
  static storageFull(what: string, cause?: unknown): AppError {
    return new AppError('STORAGE_FULL', `${what}; nothing was stored: make room and send it again`, { cause })
  }

  /**
   * 403 with the same message from every guard: without a reason it reveals nothing about what is protected.
   * @param reason why, if that concerns only the caller and helps them
   */
  static forbidden(
    reason = 'your rights do not cover this',
    options: { details?: readonly ErrorDetail[]; cause?: unknown } = {},
  ): AppError {
    return new AppError('FORBIDDEN', `not allowed: ${reason}`, options)
  }

  /** 404; the message says no more, so that a caller cannot tell "does not exist" from "not for you". */
  static notFound(what: string): AppError {
    return new AppError('NOT_FOUND', `${what} not found`)
  }
}

recogniseAcrossCopies(AppError, 'AppError')
