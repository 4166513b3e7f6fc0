import { Type } from 'typebox'
import type { Config } from '../../foundation/config/config.ts'
import {
  anyScope,
  defineRoute,
  type Policy,
  Reply,
  type Route,
  type RouteRequest,
} from '../../foundation/http/http.ts'
import type { AgentServerDeps } from './agent-server.ts'
import { tellAsJsonRpc } from './json-rpc.ts'
import { assertOrigin } from './origin.ts'
import type { ProtectedResource } from './protected-resource.ts'

/** Admits admin users and tokens; each route that a tool calls checks their permissions. */
export const agentPolicy: Policy = {
  name: 'mcp.use',
  check: ({ principal }) => principal.kind === 'admin' || principal.kind === 'token',
}

/** A single message. Batches are refused, since the rate limit could not count their requests. */
const message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Integer()])),
    method: Type.Optional(Type.String({ maxLength: 200 })),
    params: Type.Optional(Type.Object({})),
  },
  { description: 'A message of JSON-RPC; several in an array are refused' },
)

export const endpointPath = '/mcp'

export interface EndpointDeps extends AgentServerDeps {
  readonly config: Config
  readonly resource: ProtectedResource | undefined
}

/** See docs/mcp.md. */
export function endpointRoute({ config, resource, ...deps }: EndpointDeps): Route {
  return defineRoute({
    name: 'mcp:messages.create',
    method: 'POST',
    path: endpointPath,
    tag: 'MCP',
    summary: 'The Model Context Protocol for agents (streamable HTTP, without sessions)',
    access: 'permission',
    policies: [agentPolicy.name],
    scope: anyScope,
    body: message,
    // Treated as a read, since most messages are, and the kind is known only after the message has been read.
    load: 'read',
    rawResponse: 'application/json',
    // Not audited here, since each tool call is recorded.
    audit: false,
    // Otherwise tools could call tools without end.
    tool: false,
    tellError(error, request) {
      const told = tellAsJsonRpc(error, request)
      if (error.code !== 'UNAUTHENTICATED' || resource === undefined) return told
      return { ...told, headers: resource.challenge() }
    },
    async handler(request) {
      assertOrigin(request.header('origin'), config)
      // Read first, since they may be unavailable after the client has disconnected.
      const { ip, principal, requestId, signal, body } = request
      const authorization = request.header('authorization') ?? ''
      const { serveMessage } = await import('./agent-server.ts')
      const agent = { ip, principal, requestId, signal, authorization }
      return replyOf(await serveMessage(body, headersFor(request), agent, deps))
    },
  })
}

const passedOn = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** The protocol requires clients to accept streams, which this server never sends. */
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
