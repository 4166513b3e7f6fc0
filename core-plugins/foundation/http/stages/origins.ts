import { notKept } from '../answers/cache-control.ts'
import { recordAnswer } from '../answers/record-answer.ts'
import type { CorsPolicy } from '../requests/cors.ts'
import type { IncomingRequest } from '../requests/request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'
import type { HeaderLines } from '../servers/server-port.ts'
import { allowedMethods, noRoute } from './find-route.ts'

/** Adds the headers that tell a browser whether the page may read the answer. */
export function allowOrigin(request: IncomingRequest, { cors }: RequestEnvironment): void {
  const headers = cors.headersFor(request.exchange.header('origin'))
  if (headers !== undefined) request.addHeaders(headers)
}

/** Answers a preflight or any other OPTIONS request. @throws AppError 404 */
export function answerOptions(request: IncomingRequest, environment: RequestEnvironment): void {
  if (request.exchange.method !== 'OPTIONS') return
  const { router, cors, accessLog } = environment
  const methods = router.methodsOf(request.path)
  if (methods.length === 0) throw noRoute(request.exchange)
  accessLog?.prepare(request)
  const headers = ['x-request-id', request.requestId, 'allow', allowedMethods(methods), ...notKept]
  headers.push(...(request.extraHeaders ?? []), ...preflightLines(request, cors))
  request.exchange.send(204, headers, undefined)
  recordAnswer(request, 204, environment)
}

function preflightLines({ exchange }: IncomingRequest, cors: CorsPolicy): HeaderLines {
  const origin = exchange.header('origin')
  const isPreflight = exchange.header('access-control-request-method') !== undefined
  if (origin === undefined || !isPreflight) return []
  return cors.preflightHeadersFor(origin, exchange.header('access-control-request-headers'))
}
