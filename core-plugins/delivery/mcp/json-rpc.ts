import type { ErrorReply, RouteRequest, ToldError } from '../../foundation/http/http.ts'

/** As JSON-RPC 2.0 numbers them. */
const parseError = -32_700
const invalidRequest = -32_600
const internalError = -32_603

/** Of the range that is left to servers: the code of REST in `data` says which. */
const serverError = -32_000

/** What is refused before a message is read or while it is, as clients of the protocol read it. */
export function tellAsJsonRpc(error: ToldError, { body }: Pick<RouteRequest, 'body'>): ErrorReply {
  const { message, ...data } = error
  const answer = { jsonrpc: '2.0', id: idOf(body), error: { code: numberOf(error), message, data } }
  return { text: JSON.stringify(answer) }
}

function numberOf({ code, details }: ToldError): number {
  switch (code) {
    case 'INVALID_JSON':
      return parseError
    case 'VALIDATION_ERROR':
      return details?.some(isMissingBody) === true ? parseError : invalidRequest
    case 'INTERNAL_ERROR':
      return internalError
    default:
      return serverError
  }
}

/** Nothing at all is no JSON. */
function isMissingBody({ path, code }: { readonly path: string; readonly code: string }): boolean {
  return path === 'body' && code === 'required'
}

/** The id of the request; null if it has no valid one. */
function idOf(body: unknown): string | number | null {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null
}
