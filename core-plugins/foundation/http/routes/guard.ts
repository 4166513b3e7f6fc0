import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { AdminPrincipal, Principal } from '../requests/principal.ts'
import type { Method, Route } from './route.ts'

/**
 * What policies and guards receive: the caller and the target. The query and the body have not been read yet.
 */
export interface GuardRequest {
  readonly principal: Principal
  readonly params: Readonly<Record<string, string>>
  readonly method: Method
  readonly path: string
  /** The caller, if it is an admin user. */
  readonly adminUser: AdminPrincipal | undefined
  header(name: string): string | undefined
}

/**
 * A named check; false means 403, or 401 for a caller without credentials. It may throw an AppError instead.
 */
export interface Policy {
  readonly name: string
  /**
   * True if the check, or the handler of a route with this policy, decides for each content type what the caller may
   * do with it. Then tokens with a scope limited to one type may use the route.
   */
  readonly checksTypes?: boolean
  check(request: GuardRequest): boolean | Promise<boolean>
}

/** Checks that routes name in `policies`. Contribute in `init`. */
export const policies: ExtensionPoint<Policy> = extensionPoint('policies')

/** Lets a caller pass. @throws AppError 401, 403 */
export type GuardCheck = (request: GuardRequest) => Awaitable<void>

/** Creates, once per route, the check that runs before anything of the request is parsed. */
export interface RouteGuard {
  /** Returns undefined if this guard does not apply to the route. The check throws an AppError to refuse. */
  compile(route: Route, policies: ReadonlyMap<string, Policy>): GuardCheck | undefined
}

/** A route that is not `open` answers 403 to everyone if no guard applies to it. */
export const routeGuards: ExtensionPoint<RouteGuard> = extensionPoint('routeGuards')
