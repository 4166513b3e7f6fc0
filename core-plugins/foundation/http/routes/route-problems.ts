import type { StartupProblem } from '../../../../kernel/index.ts'
import type { Policy } from './guard.ts'
import { pathOf, reservedPaths, segmentsOf } from './paths.ts'
import type { Route } from './route.ts'

export interface RouteProblem extends StartupProblem {
  /** The third-party plugin that is to blame. */
  readonly owner?: string | undefined
}

export interface RouteSurroundings {
  readonly policies: ReadonlyMap<string, Policy>
  readonly apiPrefix: string
}

/** Returns all problems of the routes. */
export function routeProblems(
  routes: readonly Route[],
  { policies, apiPrefix }: RouteSurroundings,
): RouteProblem[] {
  const addressOf = (route: Route) => `${route.method} ${withoutNames(pathOf(route, apiPrefix))}`
  return [
    ...doubled(routes, (route) => route.name, 'two routes have this name'),
    ...doubled(routes, addressOf, 'two routes have this method and path'),
    ...doubled(routes.filter(isTool), toolNameOf, 'two routes have this tool'),
    ...routes
      .filter((route) => isTool(route) && !/^[a-z][a-z0-9_]{0,63}$/.test(toolNameOf(route)))
      .map(badTool),
    ...routes.filter((route) => !isWellFormed(route)).map(badPath),
    ...routes.flatMap((route) => unknownPolicies(route, policies)),
    ...intrusions(routes, apiPrefix),
  ]
}

function isTool({ tool }: Route): boolean {
  return tool !== undefined && tool !== false
}

function toolNameOf({ tool }: Route): string {
  return tool === undefined || tool === false ? '' : `${tool.name}`
}

function badTool(route: Route): RouteProblem {
  return {
    owner: route.owner,
    subject: `route ${route.name}`,
    message: `has the tool "${toolNameOf(route)}"`,
    remedy: 'use small letters, digits and _ in its name, at most 64 of them',
  }
}

/** `/a/:x` and `/a/:y` are the same to a router. */
function withoutNames(path: string): string {
  return path.replace(/\/:[^/]+/g, '/:')
}

function isWellFormed({ path, mountedAt }: Route): boolean {
  const withoutSlash = mountedAt === 'root' ? path.replace(/\/$/, '') : path
  return (mountedAt === 'root' && path === '/') || /^(\/(:?[\w.-]+|\*$))+$/.test(withoutSlash)
}

function doubled(
  routes: readonly Route[],
  identify: (route: Route) => string,
  message: string,
): RouteProblem[] {
  const first = new Map<string, Route>()
  return routes.flatMap((route) => {
    const id = identify(route)
    const other = first.get(id)
    if (other === undefined) first.set(id, route)
    if (other === undefined) return []
    return {
      subject: `route ${id}`,
      message: `${message}: ${describe(other)} and ${describe(route)}`,
      remedy: 'change or remove one of them',
      // Of a core route and one of a plugin, only the plugin can be switched off.
      owner: route.owner ?? other.owner,
    }
  })
}

function describe({ name, owner }: Route): string {
  return owner === undefined ? name : `${name} of the plugin ${owner}`
}

function badPath(route: Route): RouteProblem {
  return {
    owner: route.owner,
    subject: `route ${route.name}`,
    message: `has the path "${route.path}"`,
    remedy: 'use segments such as /articles/:id; * only as the last one, a slash at the end only at the root',
  }
}

function unknownPolicies(route: Route, policies: ReadonlyMap<string, Policy>): RouteProblem[] {
  return (route.policies ?? [])
    .filter((name) => !policies.has(name))
    .map((name) => ({
      owner: route.owner,
      subject: `route ${route.name}`,
      message: `asks for the policy ${name}, which no active plugin contributes`,
      remedy: `contribute it to policies; there are ${[...policies.keys()].join(', ') || 'none'}`,
    }))
}

/** Routes with which a third-party plugin would answer paths of the service or of other plugins. */
function intrusions(routes: readonly Route[], apiPrefix: string): RouteProblem[] {
  const ofCore = routes.filter(({ owner, mountedAt }) => owner === undefined && mountedAt === 'root')
  const atRoot = routes.filter(({ owner, mountedAt }) => owner !== undefined && mountedAt === 'root')
  return atRoot.flatMap((route) => {
    const taken = takenBy(route, apiPrefix) ?? ofCore.find((other) => overlap(route.path, other.path))?.path
    if (taken === undefined) return []
    return {
      owner: route.owner,
      subject: `route ${route.name}`,
      message: `has the path "${route.path}" at the root, which takes what ${taken} answers`,
      remedy:
        'choose a path that begins with a word of its own; for whatever nobody serves there are fallbacks',
    }
  })
}

function takenBy({ path }: Route, apiPrefix: string): string | undefined {
  return reservedPaths(apiPrefix).find((reserved) => reachesBelow(path, reserved))
}

/** Whether a path of the route can be `reserved` itself or below it. */
function reachesBelow(path: string, reserved: string): boolean {
  const own = segmentsOf(path)
  const wanted = segmentsOf(reserved)
  const star = own.indexOf('*')
  if (star === -1 && own.length < wanted.length) return false
  return wanted.every((segment, index) => (star !== -1 && index >= star) || fits(own[index], segment))
}

function overlap(left: string, right: string): boolean {
  const [own, other] = [segmentsOf(left), segmentsOf(right)]
  for (let index = 0; index < Math.max(own.length, other.length); index++) {
    if (own[index] === '*' || other[index] === '*') return true
    if (!fits(own[index], other[index])) return false
  }
  return true
}

/** Ignores case, since some file systems and people do not distinguish it. */
function fits(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined) return false
  return left.startsWith(':') || right.startsWith(':') || left.toLowerCase() === right.toLowerCase()
}
