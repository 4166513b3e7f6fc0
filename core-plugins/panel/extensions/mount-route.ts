import { accesses, type Method, type Route } from '../../foundation/http/http.ts'
import { type ErrorReport, reportedCall } from './report-errors.ts'

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Adapts the route of a plugin: it is served below `/x/<space>`, unless it is explicitly for the root.
 * @throws Error if it is not a valid route
 */
export function mountRoute({
  plugin,
  space,
  route,
  report,
}: {
  readonly plugin: string
  readonly space: string
  readonly route: Route
  readonly report: ErrorReport
}): Route {
  const method = String(route.method).toUpperCase() as Method
  const problems = routeProblems({ ...route, method }, space)
  if (problems.length > 0) throw new Error(`the route ${route.name} ${problems.join(', ')}`)
  const { mountedAt, session: _cookie, alsoAt: _elsewhere, document, ...rest } = route
  const isAtRoot = mountedAt === 'root'
  return {
    ...rest,
    method,
    owner: plugin,
    mountedAt: isAtRoot ? 'root' : 'api',
    path: isAtRoot ? route.path : `/x/${space}${route.path === '/' ? '' : route.path}`,
    ...(document && { document: documentOf(route.name, () => document.call(route), report) }),
    handler: reportedCall(`the route ${route.name}`, (request) => route.handler(request), report),
  }
}

/** If its documentation fails, the API document omits the route. */
function documentOf(name: string, document: NonNullable<Route['document']>, report: ErrorReport) {
  return () => {
    try {
      const variants = document()
      if (Array.isArray(variants)) return variants
      throw new Error('document of a route must answer a list')
    } catch (error) {
      report(`the document of the route ${name}`, error)
      return []
    }
  }
}

function routeProblems(route: Route, space: string): string[] {
  const { name, method, path, mountedAt = 'api', access, handler } = route
  const checks: [boolean, string][] = [
    // Admin middleware guards routes by name, so a plugin must not use another one's prefix.
    [String(name).startsWith(`${space}:`), `must be named ${space}:<resource>.<verb>`],
    [methods.includes(method), `must have a method of ${methods.join(', ')}`],
    [typeof path === 'string' && path.startsWith('/'), 'must have a path that begins with /'],
    [['api', 'root'].includes(mountedAt), 'must be mountedAt api or root'],
    [accesses.includes(access), `must have an access of ${accesses.join(', ')}`],
    [typeof handler === 'function', 'must have a handler'],
  ]
  return checks.filter(([isRight]) => !isRight).map(([, message]) => message)
}
