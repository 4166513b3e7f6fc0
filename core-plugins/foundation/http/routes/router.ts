import createRouter, { type HTTPMethod } from 'find-my-way'
import type { CompiledRoute } from './compile-route.ts'
import { isHarmless, pathOf } from './paths.ts'
import type { Route } from './route.ts'

/** Finds the route of a request. Later checks use the route found and never the path. */
export interface Router<Target extends Routed = CompiledRoute> {
  /** Returns undefined if no route has this method and path. @throws AppError 400 for an unreadable path */
  find(method: string, path: string): Match<Target> | undefined
  /** Returns the methods that the path has routes for. */
  methodsOf(path: string): string[]
}

/** The target of a path. */
interface Routed {
  readonly route: Route
}

export interface Match<Target extends Routed = CompiledRoute> {
  readonly route: Target
  /** Decoded, by name. */
  readonly params: Readonly<Record<string, string>>
}

const maxParamLength = 500

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Segments without percent-encoding, dot segments or anything else that needs a closer look. */
const plainPath = /^(?:\/[\w-][\w.-]*)+$/

/** `prefix` is put in front of every path, except for routes mounted at the root. */
export function buildRouter<Target extends Routed>(
  prefix: string,
  routes: readonly Target[],
): Router<Target> {
  const router = createRouter({ caseSensitive: true, maxParamLength })
  /** Paths with a trailing slash, whose empty last segment is intended. */
  const slashed = new Set<string>()
  for (const compiled of routes) {
    const path = pathOf(compiled.route, prefix)
    router.on(compiled.route.method, path, unused, compiled)
    if (path.endsWith('/')) slashed.add(path)
  }
  for (const compiled of routes) {
    const { method, alsoAt } = compiled.route
    for (const path of alsoAt?.() ?? []) {
      if (!router.hasRoute(method, path)) router.on(method, path, unused, compiled)
    }
  }
  const isSound = (path: string) => plainPath.test(path) || slashed.has(path) || isHarmless(path)
  const find = (method: string, path: string): Match<Target> | undefined => {
    const found = router.find(method as HTTPMethod, path)
    if (found === null) return undefined
    return { route: found.store as Target, params: found.params as Record<string, string> }
  }
  return {
    find(method, path) {
      if (method !== 'GET' && !methods.includes(method)) return undefined
      return isSound(path) ? find(method, path) : undefined
    },
    methodsOf(path) {
      return isSound(path) ? methods.filter((method) => find(method, path) !== undefined) : []
    },
  }
}

/** The router requires a handler; ours is the compiled route in its store. */
function unused() {}
