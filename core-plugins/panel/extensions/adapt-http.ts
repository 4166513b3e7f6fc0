import { andThen, orElse } from '../../../kernel/index.ts'
import {
  type Authenticator,
  type AuthenticatorRequest,
  asAppError,
  type Fallback,
  noteUnjudged,
  type Principal,
  type RateLimitStore,
  type RequestObserver,
  type Route,
  type RouteGuard,
} from '../../foundation/http/http.ts'
import { blame, type ErrorReport, reportedCall, reportedInstead } from './report-errors.ts'
import { assertFunction, withFunctions } from './required-functions.ts'

/** The plugin whose contributions are adapted. */
interface Owner {
  readonly plugin: string
  readonly space: string
  readonly report: ErrorReport
}

export function adaptGuard({ plugin, report }: Owner, guard: RouteGuard): RouteGuard {
  withFunctions('a guard of routes', guard, ['compile'])
  return {
    ...guard,
    compile(route, policies) {
      const check = blame(plugin, () => guard.compile(route, policies))
      return check && reportedCall(`a guard of the route ${route.name}`, check, report)
    },
  }
}

/**
 * A failing authenticator recognises no caller: the caller has only the permissions that other authenticators grant, and a
 * refused caller gets the error that authentication was unavailable. The same applies if the result is not a valid principal,
 * since guards could misread it.
 */
export function adaptAuthenticator({ plugin, report }: Owner, authenticator: Authenticator): Authenticator {
  withFunctions('an authenticator', authenticator, ['authenticate'])
  const { headersFor } = authenticator
  if (headersFor !== undefined) assertFunction('headersFor of an authenticator', headersFor)
  const judge = reportedCall(
    'an authenticator',
    (request: AuthenticatorRequest) => andThen(authenticator.authenticate(request), soundPrincipal),
    report,
  )
  return {
    headersFor: (route) => blame(plugin, () => soundHeaders(authenticator.headersFor?.(route) ?? [], route)),
    authenticate: (request) =>
      orElse(
        () => judge(request),
        (error) => leaveUnjudged(request, error),
      ),
  }
}

function leaveUnjudged(request: AuthenticatorRequest, error: unknown): undefined {
  if (asAppError(error).code !== 'INTERNAL_ERROR') throw error
  noteUnjudged(request)
}

function soundHeaders(names: readonly string[], { name: route }: Route): readonly string[] {
  if (Array.isArray(names) && names.every((name) => /^[a-z0-9-]+$/.test(name))) return names
  throw new Error(`headersFor of an authenticator must list headers in lower case for the route ${route}`)
}

function soundPrincipal(principal: Principal | undefined): Principal | undefined {
  if (principal === undefined || isPrincipal(principal)) return principal
  throw new Error(
    'it answers what is no principal: an admin or a user with id, username and role, or a token with id, name and a set of scopes',
  )
}

function isPrincipal(given: unknown): given is Principal {
  if (typeof given !== 'object' || given === null) return false
  const { kind, id, username, role, name, scopes } = given as Readonly<Record<string, unknown>>
  if (kind === 'anonymous') return true
  if (!Number.isSafeInteger(id)) return false
  if (kind === 'token') return typeof name === 'string' && scopes instanceof Set
  return (kind === 'admin' || kind === 'user') && typeof username === 'string' && typeof role === 'string'
}

export function adaptFallback({ space, report }: Owner, fallback: Fallback): Fallback {
  const { name, methods = ['GET'], answer } = fallback
  if (!String(name).startsWith(`${space}:`))
    throw new Error(`the fallback ${name} must be named ${space}:<what>`)
  if (typeof answer !== 'function') throw new Error(`the fallback ${name} must have an answer function`)
  if (!Array.isArray(methods) || methods.length === 0)
    throw new Error(`the methods of ${name} must be a list`)
  return {
    ...fallback,
    answer: (request) => fallback.answer(request),
    report: (error) => report(`the fallback ${name}`, error),
  }
}

export function adaptObserver({ report }: Owner, observe: RequestObserver): RequestObserver {
  assertFunction('a request observer', observe)
  return reportedInstead('a request observer', observe, report)
}

/** If the store throws, HTTP counts in memory for a while. */
export function adaptRateLimitStore({ report }: Owner, store: RateLimitStore): RateLimitStore {
  withFunctions('a rate limit store', store, ['hit'])
  return { hit: reportedCall('the rate limit store', (key, windowMs) => store.hit(key, windowMs), report) }
}
