import { type ExtensionPoint, matcherOf, middlewarePoint, type Next, type Stage } from '../../kernel/index.ts'
import type { Method, Route, RouteRequest } from './route.ts'

/** Admin middleware (specification, "Extension routes"): `target` is the route, matched by its name. */
export type AdminStage = Stage<Route, RouteRequest, unknown>

export const adminMiddleware: ExtensionPoint<AdminStage> = middlewarePoint('adminMiddleware')

/** Admin middleware as plugins write it; specification, "Extension routes". */
export interface AdminMiddleware {
  /** For messages: the plugin, and what the middleware does. */
  readonly name: string
  /** Names of routes, not paths; `*` matches any characters: `admin:*`, `admin:backups.*`. */
  readonly routes: string | readonly string[]
  /** Default: all methods. */
  readonly methods?: readonly Method[]
  /** Lower runs earlier; default 0. */
  readonly order?: number
  /** Returns the answer of `next`, or another one; throws an AppError to refuse. */
  run(request: RouteRequest, next: Next<unknown>): unknown
}

/** Creates a contribution to `adminMiddleware`. */
export function defineAdminMiddleware({ name, routes, methods, order, run }: AdminMiddleware): AdminStage {
  const isMeant = matcherOf(routes)
  return {
    name,
    ...(order === undefined ? {} : { order }),
    matches: (route) => isMeant(route.name) && (methods?.includes(route.method) ?? true),
    run,
  }
}
