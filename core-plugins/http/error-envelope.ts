import type { AppError, ErrorDetail } from './app-error.ts'

/** More would help nobody; what is wrong with a payload may be as large as the payload. */
const maxDetails = 200

/** Names and values in it may be the client's own. */
const maxTextLength = 500

/** decisions.md, 2. */
export function errorEnvelope({ code, message, details }: AppError, requestId: string): string {
  const told = details === undefined ? {} : { details: details.slice(0, maxDetails).map(shortened) }
  return JSON.stringify({ success: false, error: { code, message: shorten(message), ...told, requestId } })
}

function shortened(detail: ErrorDetail): ErrorDetail {
  return { ...detail, path: shorten(detail.path), message: shorten(detail.message) }
}

function shorten(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`
}
