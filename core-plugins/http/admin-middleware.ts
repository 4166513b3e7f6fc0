import { matcherOf, type Next } from '../../kernel/index.ts'
import type { AdminStage, Method, RouteRequest } from './http.ts'

/** Admin middleware as plugins write it; specification, "Extension routes". */
export interface AdminMiddleware {
  /** For messages: the plugin and what the middleware does. */
  readonly name: string
  /** Names of routes, not paths, with `*` for any characters: `admin:*`, `admin:backups.*`. */
  readonly routes: string | readonly string[]
  /** All of them unless told otherwise. */
  readonly methods?: readonly Method[]
  /** Lower runs earlier; 0 unless told otherwise. */
  readonly order?: number
  /** Answers what `next` does, or something else; throws an AppError to refuse. */
  run(request: RouteRequest, next: Next<unknown>): unknown
}

/** Makes what is contributed to `adminMiddleware`. */
export function defineAdminMiddleware({ name, routes, methods, order, run }: AdminMiddleware): AdminStage {
  const isMeant = matcherOf(routes)
  return {
    name,
    ...(order === undefined ? {} : { order }),
    matches: (route) => isMeant(route.name) && (methods?.includes(route.method) ?? true),
    run,
  }
}
