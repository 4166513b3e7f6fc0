import type { ErrorReply, RouteRequest, ToldError } from '../../foundation/http/http.ts'

/** An error code of JSON-RPC 2.0. */
const parseError = -32_700
const invalidRequest = -32_600
const internalError = -32_603

/** In the range reserved for servers; `data` contains the code of REST. */
const serverError = -32_000

/** Formats errors that occur before or while a message is read, as the protocol requires. */
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

/** Whether the body is missing, which counts as invalid JSON. */
function isMissingBody({ path, code }: { readonly path: string; readonly code: string }): boolean {
  return path === 'body' && code === 'required'
}

/** The id of the request; null if it has no valid one. */
function idOf(body: unknown): string | number | null {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null
}
