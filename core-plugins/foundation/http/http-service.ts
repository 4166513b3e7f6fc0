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
  /** What serves, once it listens. */
  readonly server: ChosenServer | undefined
  /** `/api`, or SVC_API_PREFIX. */
  readonly apiPrefix: string
  /** All active routes; complete after boot. */
  readonly routes: readonly Route[]
  /** Whether the guards would let a caller use a route, with these parameters in its path. */
  admits(route: Route, caller: Caller): Promise<boolean>
  /**
   * Serves a request that the service makes for a client of its own: it passes all stages, as if the client had sent it,
   * but is counted by the rate limit only where it says so. For protocols whose calls are requests to routes.
   * @throws AppError 400 if the parameters lead to another route, 413 if the answer is larger than `maxAnswerBytes`, 499 if
   * the client is gone
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

/** A request to a route, made inside of the service. */
export interface InternalRequest {
  readonly route: Route
  /** The path's parameters by name, not encoded. */
  readonly params: Readonly<Record<string, string>>
  /** Encoded, without `?`. */
  readonly rawQuery: string
  /** By lower-case name. The caller is whom `authorization` says. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
  /** The client's address. */
  readonly ip: string
  /** Whether the rate limit counts it: where what the client has sent is no request. */
  readonly isCounted?: boolean
  /** Aborted when nobody waits for the answer any more. */
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

/** The routes that are served, requests within the service, and where it listens. */
export const httpService: ServiceToken<Http> = service('http')
