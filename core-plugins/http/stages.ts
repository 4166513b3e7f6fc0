import { AppError, type ErrorDetail } from './app-error.ts'
import { collectBody, expectBodyWithin, expectJson, parseJson } from './body.ts'
import type { Authenticator, Principal } from './http.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { IncomingRequest } from './request.ts'
import type { Router } from './router.ts'
import type { Exchange } from './server-port.ts'
import { faultlessMembers } from './validation.ts'

/** What the stages ask for. It may be exchanged between two requests. */
export interface StageParts {
  readonly router: Router
  readonly authenticators: readonly Authenticator[]
  /** Undefined while it is switched off. */
  readonly rateLimiter: RateLimiter | undefined
}

/*
 * Each stage goes on to the next one and answers what the handler answers. Where everything answers at
 * once, the whole way is synchronous: a promise at each step would cost more than most steps do.
 */

/** The first stage: finds the route and counts the request. */
export function routeRequest(request: IncomingRequest, parts: StageParts): unknown {
  const match = parts.router.find(request.method, request.path)
  if (match !== undefined) {
    request.compiled = match.route
    request.params = match.params
  }
  if (match?.route.route.isProbe === true) return authenticate(request, parts)
  return countRequest(request, parts, () => authenticate(request, parts))
}

/** Goes on with `next` unless the client has made too many requests. */
export function countRequest<T>(
  request: IncomingRequest,
  { rateLimiter }: StageParts,
  next: () => T,
): T | Promise<T> {
  const counted = rateLimiter?.(request)
  return isPromise(counted) ? counted.then(next) : next()
}

function authenticate(request: IncomingRequest, parts: StageParts): unknown {
  if (request.compiled === undefined) throw unrouted(request, parts.router)
  const principal = identify(request, parts.authenticators, 0)
  return isPromise(principal) ? principal.then((known) => admit(request, known)) : admit(request, principal)
}

/** 405 where the path has routes for other methods, 404 otherwise. */
function unrouted({ path, exchange }: IncomingRequest, router: Router): AppError {
  const methods = router.methodsOf(path)
  if (methods.length === 0) return noRoute(exchange)
  const allow = allowedMethods(methods)
  return new AppError('METHOD_NOT_ALLOWED', `use one of ${allow} here`, { headers: { allow } })
}

/** 404 for a path that nothing is at. */
export function noRoute({ method, path }: Exchange): AppError {
  return new AppError('NOT_FOUND', `no route for ${method} ${path}`)
}

/** As the header `Allow` lists them. */
export function allowedMethods(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

type Identity = Principal | undefined

function identify(
  request: IncomingRequest,
  authenticators: readonly Authenticator[],
  from: number,
): Identity | Promise<Identity> {
  for (let index = from; index < authenticators.length; index++) {
    const answer = askAuthenticator(request, authenticators[index] as Authenticator)
    if (isPromise(answer))
      return answer.then((known) => known ?? identify(request, authenticators, index + 1))
    if (answer !== undefined) return answer
  }
  return undefined
}

/** Bad credentials are no reason to refuse what anybody may do without any. */
function askAuthenticator(request: IncomingRequest, authenticator: Authenticator) {
  if (request.route.access !== 'open') return authenticator.authenticate(request)
  try {
    const answer = authenticator.authenticate(request)
    return isPromise(answer) ? answer.catch(ignoreRefusal) : answer
  } catch (error) {
    return ignoreRefusal(error)
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

function admit(request: IncomingRequest, principal: Identity): unknown {
  if (principal !== undefined) request.principal = principal
  return passGuards(request, 0)
}

function passGuards(request: IncomingRequest, from: number): unknown {
  const { guards } = request.foundRoute
  for (let index = from; index < guards.length; index++) {
    const verdict = guards[index]?.(request)
    if (isPromise(verdict)) return verdict.then(() => passGuards(request, index + 1))
  }
  return readInput(request)
}

/** Judged last, so that a caller who may not use the route learns nothing of what it takes. */
function readInput(request: IncomingRequest): unknown {
  const compiled = request.foundRoute
  request.params = compiled.readParams(request.params)
  request.query = compiled.readQuery(request.rawQuery)
  if (!compiled.takesBody) return compiled.run(request)
  expectBodyWithin(request.exchange, compiled.maxBodyBytes)
  if (compiled.validateBody === undefined) return compiled.run(request)
  return collectBody(request.exchange, compiled.maxBodyBytes).then((bytes) => takeBody(request, bytes))
}

function takeBody(request: IncomingRequest, bytes: Buffer): unknown {
  const { route, validateBody, run } = request.foundRoute
  if (bytes.length === 0 && route.isBodyOptional === true) return run(request)
  expectJson(request.header('content-type'), bytes)
  request.body = parseJson(bytes)
  const problems = validateBody?.(request.body) ?? []
  return problems.length === 0 ? run(request) : refuseBody(request, problems)
}

/** @throws AppError 400 with all problems, those that the schema does not know included */
async function refuseBody(request: IncomingRequest, problems: readonly ErrorDetail[]): Promise<never> {
  const { route } = request.foundRoute
  request.body = faultlessMembers(request.body, problems)
  const further = request.body === undefined ? [] : await route.judgeRefused?.(request as never)
  throw AppError.invalid([...problems, ...(further ?? [])])
}

/** Anything with `then` counts, as with `await`. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}
