import { type ServiceToken, service } from '../../kernel/index.ts'
import type { ClusterRequests } from './cluster-requests.ts'
import type { Principal } from './principal.ts'
import type { Route } from './route.ts'

/** The HTTP server of this process. */
export interface Http {
  /** The processes that share the port (SVC_PROCESSES). */
  readonly cluster: ClusterRequests
  /** `http://localhost:2102`, once it listens. */
  readonly url: string
  /** `/api`, or SVC_API_PREFIX. */
  readonly apiPrefix: string
  /** All active routes; complete after boot. */
  readonly routes: readonly Route[]
  /** Whether the guards would let a caller use a route, with these parameters in its path. */
  admits(route: Route, caller: Caller): Promise<boolean>
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

export const httpService: ServiceToken<Http> = service('http')
