import { AppError, type ErrorCode } from './app-error.ts'
import { asUnavailableReason, type UnavailableReason } from './unavailable-reasons.ts'

/** What a client learns about an error. */
export type ErrorAnswer = ErrorKind & {
  readonly message: string
  /** Sent with the answer, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

type ErrorKind =
  | { readonly code: Exclude<ErrorCode, 'UNAVAILABLE'>; readonly reason?: undefined }
  | { readonly code: 'UNAVAILABLE'; readonly reason: UnavailableReason }

/** An error that is not an `AppError` but knows what to report to the client. */
export interface AnswerableError extends Error {
  /** Undefined if the error is not meant for clients, who then only learn that something went wrong. */
  readonly answerForClient: ErrorAnswer | undefined
}

function isAnswerable(thrown: unknown): thrown is AnswerableError {
  return thrown instanceof Error && 'answerForClient' in thrown
}

/** Whether the error was caused by a full disk, or by a quota of this process. */
function isDiskFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  // An error from another thread keeps its message but loses its code.
  return /^(ENOSPC|EDQUOT):/.test(thrown.message) || isDiskFull(thrown.cause)
}

/**
 * Turns anything thrown into the error that the client gets; details that are not meant for clients stay inside as
 * the cause.
 */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const answer = isAnswerable(thrown) ? thrown.answerForClient : undefined
  if (answer !== undefined) {
    const { code, message, reason, headers = {} } = answer
    return new AppError(code, message, { reason: asUnavailableReason(reason), headers, cause: thrown })
  }
  if (isDiskFull(thrown)) return AppError.storageFull('a disk of the service is full', thrown)
  return new AppError('INTERNAL_ERROR', 'something went wrong; see the service log', {
    cause: thrown,
  })
}

/** Whether an error says that something the service depends on is not responding at the moment. */
export function isOutage(thrown: unknown): boolean {
  return asAppError(thrown).code === 'UNAVAILABLE'
}
