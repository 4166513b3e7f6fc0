import {
  type ExtensionPoint,
  matcherOf,
  middlewarePoint,
  type Next,
  type Stage,
} from '../../../../kernel/index.ts'
import type { Method, Route, RouteRequest } from '../routes/route.ts'

/** Admin middleware (specification, "Extension routes"): `target` is the route, matched by its name. */
export interface AdminStage extends Stage<Route, RouteRequest, unknown> {
  /** See `AdminMiddleware`. */
  readonly isPredictable?: boolean
}

/** Middleware around admin routes, matched by their names. Contribute in `init`. */
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
  /**
   * True if it returns what `next` returns, or the same to all callers with the same role or scopes at any time. Only
   * then does the cache keep answers of the routes that it matches.
   */
  readonly isPredictable?: boolean
  /** Returns the answer of `next`, or another one; throws an AppError to refuse. */
  run(request: RouteRequest, next: Next<unknown>): unknown
}

/** Creates a contribution to `adminMiddleware`. */
export function defineAdminMiddleware(middleware: AdminMiddleware): AdminStage {
  const { name, routes, methods, order, isPredictable = false, run } = middleware
  const isMeant = matcherOf(routes)
  return {
    name,
    isPredictable,
    ...(order === undefined ? {} : { order }),
    matches: (route) => isMeant(route.name) && (methods?.includes(route.method) ?? true),
    run,
  }
}
