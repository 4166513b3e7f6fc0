import type { Log } from '../../kernel/index.ts'
import type { AccessLog } from './access-log.ts'
import { answer } from './answer.ts'
import { answerError } from './answer-error.ts'
import { AppError } from './app-error.ts'
import type { CorsPolicy } from './cors.ts'
import { expectSoundHead } from './framing.ts'
import type { RequestObserver } from './http.ts'
import { type AddressReader, IncomingRequest } from './request.ts'
import { requestIdOf } from './request-id.ts'
import type { ExchangeHandler, HeaderLines } from './server-port.ts'
import { allowedMethods, countRequest, isPromise, noRoute, routeRequest, type StageParts } from './stages.ts'

/** What all requests share. Whoever changes it at run time puts another value in place. */
export interface RequestEnvironment extends StageParts {
  readonly log: Log
  readonly readAddress: AddressReader
  readonly cors: CorsPolicy
  /** Undefined where no request is logged. */
  readonly accessLog: AccessLog | undefined
  readonly observers: readonly RequestObserver[]
  /** The service is stopping: nothing new is begun. */
  readonly isStopping: boolean
}

/**
 * Serves requests, in this order: request id, CORS, rate limit, authentication, guards, input, admin
 * middleware, handler, envelope.
 */
export function createRequestHandler(environment: RequestEnvironment): ExchangeHandler {
  function handle(request: IncomingRequest) {
    try {
      expectSoundHead(request.exchange)
      if (environment.isStopping) throw new AppError('UNAVAILABLE', 'the service is stopping')
      allowOrigin(request, environment)
      if (request.exchange.method === 'OPTIONS') serveOptions(request)
      else settle(request, routeRequest(request, environment))
    } catch (error) {
      fail(request, error)
    }
  }

  function serveOptions(request: IncomingRequest) {
    const answered = countRequest(request, environment, () => answerOptions(request, environment))
    if (isPromise(answered)) answered.catch((error) => fail(request, error))
  }

  function settle(request: IncomingRequest, result: unknown): void {
    if (isPromise(result)) {
      result.then(
        (value) => finish(request, value),
        (error) => fail(request, error),
      )
    } else finish(request, result)
  }

  function finish(request: IncomingRequest, result: unknown) {
    try {
      request.compiled?.checkAnswer?.(result)
      environment.accessLog?.prepare(request)
      const status = answer(request, result)
      noteAnswer(request, status, environment)
    } catch (error) {
      fail(request, error)
    }
  }

  function fail(request: IncomingRequest, error: unknown) {
    // Read while it can be: what is logged of a failure is worth more than what it costs.
    void request.ip
    const status = answerError(request, error, environment.log)
    if (status < 500) environment.accessLog?.write(request, status)
    observe(request, status, environment)
  }

  return (exchange) => {
    const requestId = requestIdOf(exchange.header('x-request-id'))
    handle(new IncomingRequest(exchange, requestId, environment.readAddress))
  }
}

function allowOrigin(request: IncomingRequest, { cors }: RequestEnvironment) {
  const origin = request.exchange.header('origin')
  if (origin !== undefined) request.addHeaders(cors.headersFor(origin))
}

/** A preflight, or a client that asks what there is. */
function answerOptions(request: IncomingRequest, environment: RequestEnvironment) {
  const { router, cors, accessLog } = environment
  const methods = router.methodsOf(request.path)
  if (methods.length === 0) throw noRoute(request.exchange)
  accessLog?.prepare(request)
  const headers = ['x-request-id', request.requestId, 'allow', allowedMethods(methods)]
  headers.push(...(request.extraHeaders ?? []), ...preflightLines(request, cors))
  request.exchange.send(204, headers, undefined)
  noteAnswer(request, 204, environment)
}

function noteAnswer(request: IncomingRequest, status: number, environment: RequestEnvironment) {
  environment.accessLog?.write(request, status)
  observe(request, status, environment)
}

function observe(request: IncomingRequest, status: number, { observers }: RequestEnvironment) {
  if (observers.length === 0) return
  const durationMs = performance.now() - request.startedAt
  const { method } = request.exchange
  for (const observe of observers) observe({ route: request.compiled?.route, method, status, durationMs })
}

function preflightLines({ exchange }: IncomingRequest, cors: CorsPolicy): HeaderLines {
  const origin = exchange.header('origin')
  const isPreflight = exchange.header('access-control-request-method') !== undefined
  if (origin === undefined || !isPreflight) return []
  return cors.preflightHeadersFor(origin, exchange.header('access-control-request-headers'))
}
