import type { InternalAnswer, Principal, Route } from '../../foundation/http/http.ts'

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What an agent sends along with a call. */
export type Arguments = Readonly<Record<string, unknown>>

/** The request in which an agent lists or calls tools. */
export interface AgentRequest {
  readonly principal: Principal
  readonly ip: string
  readonly requestId: string
  /** As sent: whatever a tool does, it does with this. */
  readonly authorization: string
  readonly signal: AbortSignal
}

/** What came of a call, for the agent and for the audit log. */
export interface Outcome {
  /** JSON, or another text. */
  readonly text: string
  readonly isError: boolean
  /** What it was done to: `article:7`. */
  readonly target?: string | undefined
  /** The route that was asked. */
  readonly route?: string | undefined
  /** The code of the error. */
  readonly code?: string | undefined
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** False: it only reads. */
  readonly writes: boolean
  /** It may take away what cannot be brought back. */
  readonly destroys: boolean
  /** A second call with the same arguments changes nothing more. */
  readonly isIdempotent: boolean
  /** @throws AppError */
  call(given: Arguments, request: AgentRequest): Promise<Outcome>
}

/** Asks a route for an agent. */
export type AskRoute = (asked: AskedRoute, request: AgentRequest) => Promise<InternalAnswer>

export interface AskedRoute {
  readonly route: Route
  readonly params: Arguments
  readonly query: Arguments
  readonly body?: unknown
  readonly ifMatch?: unknown
}
