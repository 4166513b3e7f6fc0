import type { AppError, ErrorCode, ErrorDetail } from './app-error.ts'
import type { UnavailableReason } from './unavailable-reasons.ts'

/** More would help nobody, and a payload can have as many problems as it has values. */
const maxDetails = 200

/** The names and values in it may come from the client. */
const maxTextLength = 500

/** What a client is told of an error; see docs/http.md. */
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

/** Plugins that were written without types may tell anything. */
function shorten(told: unknown): string {
  const text = typeof told === 'string' ? told : String(told)
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`
}
