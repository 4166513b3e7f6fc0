import { AppError } from '../app-error.ts'
import type { IncomingRequest } from '../request.ts'
import type { RequestEnvironment } from '../request-stage.ts'
import type { Exchange } from '../server-port.ts'

/**
 * Finds the route and its params. `assertRoute` refuses a request without a route later, after it has been
 * counted.
 */
export function findRoute(request: IncomingRequest, { router }: RequestEnvironment): void {
  const match = router.find(request.method, request.path)
  if (match === undefined) return
  request.compiled = match.route
  request.params = match.params
}

/** @throws AppError 405 where the path has routes for other methods, 404 otherwise */
export function assertRoute(
  { compiled, path, exchange }: IncomingRequest,
  { router }: RequestEnvironment,
): void {
  if (compiled !== undefined) return
  const methods = router.methodsOf(path)
  if (methods.length === 0) throw noRoute(exchange)
  const allow = allowedMethods(methods)
  throw new AppError('METHOD_NOT_ALLOWED', `use one of ${allow} here`, { headers: { allow } })
}

/** 404 for a path without routes. */
export function noRoute({ method, path }: Exchange): AppError {
  return new AppError('NOT_FOUND', `no route for ${method} ${path}`)
}

/** As listed in the header `Allow`. */
export function allowedMethods(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}
