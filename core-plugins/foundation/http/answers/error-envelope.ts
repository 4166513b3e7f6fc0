import type { AppError, ErrorCode, ErrorDetail } from './app-error.ts'
import type { UnavailableReason } from './unavailable-reasons.ts'

/** A payload can have as many problems as it has values, and a longer list helps no reader. */
const maxDetails = 200

/** The names and values in it may come from the client. */
const maxTextLength = 500

/** The part of an error that the client sees; see docs/http.md. */
export interface ToldError {
  readonly code: ErrorCode
  readonly reason?: UnavailableReason | undefined
  readonly message: string
  readonly details?: readonly ErrorDetail[]
  readonly requestId: string
}

export function toldError({ code, reason, message, details }: AppError, requestId: string): ToldError {
  const told = details === undefined ? {} : { details: details.slice(0, maxDetails).map(shortened) }
  return { code, reason, message: shorten(message), ...told, requestId }
}

export function errorEnvelope(error: ToldError): string {
  return JSON.stringify({ success: false, error })
}

function shortened(detail: ErrorDetail): ErrorDetail {
  return { ...detail, path: shorten(detail.path), message: shorten(detail.message) }
}

/** Plugins written without types may pass values that are not strings. */
function shorten(told: unknown): string {
  const text = typeof told === 'string' ? told : String(told)
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`
}
