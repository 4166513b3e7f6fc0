import type { AppError, ErrorDetail } from './app-error.ts'

/** More would help nobody, and a payload can have as many problems as it has values. */
const maxDetails = 200

/** The names and values in it may come from the client. */
const maxTextLength = 500

/** See docs/http.md. */
export function errorEnvelope({ code, reason, message, details }: AppError, requestId: string): string {
  const told = details === undefined ? {} : { details: details.slice(0, maxDetails).map(shortened) }
  const error = { code, reason, message: shorten(message), ...told, requestId }
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
