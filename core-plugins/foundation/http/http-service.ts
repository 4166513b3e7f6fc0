import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal } from './requests/principal.ts'
import type { Route } from './routes/route.ts'
import type { ChosenServer } from './servers/choose-server.ts'
import type { ClusterRequests } from './servers/cluster-requests.ts'

/** The HTTP server of this process. */
export interface Http {
  /** The processes that share the port (SVC_PROCESSES). */
  readonly cluster: ClusterRequests
  /** `http://localhost:2102`, once it listens. */
  readonly url: string
  /** The server implementation in use, once it listens. */
  readonly server: ChosenServer | undefined
  /** `/api`, or SVC_API_PREFIX. */
  readonly apiPrefix: string
  /** All active routes; complete after boot. */
  readonly routes: readonly Route[]
  /** Whether the guards would let the caller use a route with these path parameters. */
  admits(route: Route, caller: Caller): Promise<boolean>
  /**
   * Runs a request made inside the service on behalf of a client: it passes all stages as if the client had sent it,
   * but counts towards the rate limit only if it says so. For protocols whose calls map to requests to routes.
   * @throws AppError 400 if the parameters lead to another route, 413 if the answer is larger than `maxAnswerBytes`,
   * 499 if the client is gone
   */
  dispatch(request: InternalRequest): Promise<InternalAnswer>
  /**
   * Continues to serve for `server.drainMs`, or until `hurry` is aborted, while `readyz` answers 503 and
   * every answer closes its connection: load balancers switch to other processes before this one stops.
   */
  drain(hurry: AbortSignal): Promise<void>
}

/** The caller of a route, and its target. */
export interface Caller {
  readonly principal: Principal
  /** The path's parameters by name. */
  readonly params: Readonly<Record<string, string>>
}

/** A request to a route, made inside the service. */
export interface InternalRequest {
  readonly route: Route
  /** The path's parameters by name, not encoded. */
  readonly params: Readonly<Record<string, string>>
  /** Encoded, without `?`. */
  readonly rawQuery: string
  /** By lower-case name. `authorization` identifies the caller. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
  /** The client's address. */
  readonly ip: string
  /** Whether it counts towards the rate limit: set when the client's own message was not counted as a request. */
  readonly isCounted?: boolean
  /** Aborted when the answer is no longer awaited. */
  readonly signal: AbortSignal
  readonly maxAnswerBytes: number
}

/** The answer to a request that was made within the service. */
export interface InternalAnswer {
  readonly status: number
  /** The first value of each, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The served routes, requests made inside the service, and the address it listens on. */
export const httpService: ServiceToken<Http> = service('http')
