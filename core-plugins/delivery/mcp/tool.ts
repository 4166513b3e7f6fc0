import type { InternalAnswer, Principal, Route } from '../../foundation/http/http.ts'

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The arguments that an agent sends with a call. */
export type Arguments = Readonly<Record<string, unknown>>

/** The request in which an agent lists or calls tools. */
export interface AgentRequest {
  readonly principal: Principal
  readonly ip: string
  readonly requestId: string
  /** As sent; tools call routes with it. */
  readonly authorization: string
  readonly signal: AbortSignal
}

/** The outcome of a call, for the agent and the audit log. */
export interface Outcome {
  /** JSON or plain text. */
  readonly text: string
  readonly isError: boolean
  /** The affected object: `article:7`. */
  readonly target?: string | undefined
  /** The route that was called. */
  readonly route?: string | undefined
  /** The error code. */
  readonly code?: string | undefined
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** False for tools that only read. */
  readonly writes: boolean
  /** Whether it may destroy data irrecoverably. */
  readonly destroys: boolean
  /** Whether repeating a call with the same arguments has no further effect. */
  readonly isIdempotent: boolean
  /** @throws AppError */
  call(given: Arguments, request: AgentRequest): Promise<Outcome>
}

/** Calls a route for an agent. */
export type AskRoute = (asked: AskedRoute, request: AgentRequest) => Promise<InternalAnswer>

export interface AskedRoute {
  readonly route: Route
  readonly params: Arguments
  readonly query: Arguments
  readonly body?: unknown
  readonly ifMatch?: unknown
}
