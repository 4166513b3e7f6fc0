import { AppError, type Http, type Route } from '../../foundation/http/http.ts'
import { encodeFileBody } from './file-body.ts'
import { type EncodedBody, encodeForm } from './multipart.ts'
import { queryText } from './query-text.ts'
import type { AgentRequest, Arguments, AskedRoute, AskRoute } from './tool.ts'

/** Larger responses would be truncated for the agent anyway. */
const maxAnswerBytes = 32 * 1024 * 1024

/** Calls a route like a client, with the credentials of the agent, so that tools pass all checks of ordinary requests. */
export function createAskRoute(http: Http): AskRoute {
  return (asked, request) =>
    http.dispatch({
      route: asked.route,
      params: pathValues(asked.params),
      rawQuery: queryText(asked.query),
      ...encoded(asked, request),
      ip: request.ip,
      signal: request.signal,
      maxAnswerBytes,
    })
}

function pathValues(params: Arguments): Record<string, string> {
  const values = Object.entries(params).map(([name, value]) => {
    if (typeof value === 'string' || typeof value === 'number') return [name, String(value)]
    throw AppError.invalid([{ path: name, code: 'type', message: 'must be a string or a number' }])
  })
  return Object.fromEntries(values)
}

function encoded({ route, body, ifMatch }: AskedRoute, { authorization, requestId }: AgentRequest) {
  const headers: Record<string, string> = { authorization, 'x-request-id': requestId }
  if (typeof ifMatch === 'string') headers['if-match'] = ifMatch
  if (body === undefined) return { headers }
  const { contentType, body: bytes } = encodeBody(route, body)
  const described = { 'content-type': contentType, 'content-length': String(bytes.length) }
  return { headers: { ...headers, ...described }, body: bytes }
}

function encodeBody({ bodyMode, bodyTypes }: Route, body: unknown): EncodedBody {
  if (bodyTypes !== undefined) return encodeFileBody(body, bodyTypes)
  if (bodyMode === 'stream') return encodeForm(body)
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) }
}
