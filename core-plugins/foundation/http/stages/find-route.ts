import { AppError } from '../answers/app-error.ts'
import type { CorsPolicy } from '../requests/cors.ts'
import type { IncomingRequest } from '../requests/request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'
import type { Exchange } from '../servers/server-port.ts'

/**
 * Finds the route and its params. `assertRoute` refuses a request without a route later, after it has been counted.
 * If no WebSocket route matches a handshake, it is treated as an ordinary request.
 * @throws AppError 403 for a page that may not open a WebSocket here
 */
export function findRoute(request: IncomingRequest, environment: RequestEnvironment): void {
  const { method, path, exchange } = request
  const socket = exchange.asksForSocket ? environment.sockets.find(method, path) : undefined
  if (socket !== undefined) assertOrigin(exchange, environment.cors)
  const match = socket ?? environment.router.find(method, path)
  if (match === undefined) return
  request.compiled = match.route
  request.params = match.params
}

/** Browsers let any page open a WebSocket and send its origin, so the service has to refuse unwanted ones. */
function assertOrigin(exchange: Exchange, cors: CorsPolicy): void {
  const origin = exchange.header('origin')
  if (origin === undefined || cors.allows(origin) || hostIn(origin) === exchange.header('host')) return
  throw AppError.forbidden(`pages of ${origin} may not open a WebSocket here; see api.cors.origins`)
}

function hostIn(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/** @throws AppError 405 if the path has routes for other methods, 404 otherwise */
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
