import { Type } from 'typebox'
import type { Config } from '../config/config.ts'
import { anyScope, defineRoute, type Policy, Reply, type Route, type RouteRequest } from '../http/http.ts'
import type { AgentServerDeps } from './agent-server.ts'
import { assertOrigin } from './origin.ts'

/** Admin users and tokens; what they may do is checked with each route that a tool asks. */
export const agentPolicy: Policy = {
  name: 'mcp.use',
  check: ({ principal }) => principal.kind === 'admin' || principal.kind === 'token',
}

/** One message: requests that came together could not be told apart by the rate limit. */
const message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Integer()])),
    method: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { description: 'A message of JSON-RPC; several in an array are refused' },
)

/** See docs/mcp.md. */
export function endpointRoute(deps: AgentServerDeps, config: Config): Route {
  return defineRoute({
    name: 'mcp:messages.create',
    method: 'POST',
    path: '/mcp',
    tag: 'MCP',
    summary: 'The Model Context Protocol for agents (streamable HTTP, without sessions)',
    access: 'permission',
    policies: [agentPolicy.name],
    scope: anyScope,
    body: message,
    // What a message asks for is known only after it has been read, and most of them read.
    load: 'read',
    rawResponse: 'application/json',
    // Each call is recorded by itself.
    audit: false,
    // Tools that call tools would never end.
    tool: false,
    async handler(request) {
      assertOrigin(request.header('origin'), config)
      // Read first: the client may have disconnected afterwards.
      const { ip, principal, requestId, signal, body } = request
      const authorization = request.header('authorization') ?? ''
      const { serveMessage } = await import('./agent-server.ts')
      const agent = { ip, principal, requestId, signal, authorization }
      return replyOf(await serveMessage(body, headersFor(request), agent, deps))
    },
  })
}

const passedOn = ['mcp-protocol-version', 'mcp-session-id', 'last-event-id'] as const

/** The protocol wants clients to accept streams, too, which this server never sends. */
function headersFor(request: Pick<RouteRequest, 'header'>): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  for (const name of passedOn) {
    const value = request.header(name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}

async function replyOf(response: Response): Promise<Reply> {
  const mediaType = response.headers.get('content-type') ?? 'application/json'
  const body = { kind: 'raw', body: await response.text(), mediaType } as const
  return new Reply(response.status, body, { 'cache-control': 'no-store' })
}
