import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import { AppError } from '../answers/app-error.ts'
import type { GuardCheck, GuardRequest, Policy, RouteGuard } from './guard.ts'
import { accesses, type Route } from './route.ts'

/** Access to something that is not a route, in a route's terms: reading it is a GET, changing it a POST. */
export type AccessRule = Pick<Route, 'name' | 'method' | 'access' | 'scope' | 'policies'>

/**
 * Compiles a rule as the guards compile a route.
 * @throws Error if no guard could check it
 */
export function compileAccess(
  rule: AccessRule,
  { policies, guards }: { readonly policies: readonly Policy[]; readonly guards: readonly RouteGuard[] },
): GuardCheck {
  if (!accesses.includes(rule.access)) {
    throw new Error(`${rule.name} must have an access of ${accesses.join(', ')}`)
  }
  const route: Route = { ...rule, path: '/', summary: '', handler: () => undefined }
  const named = new Map(policies.map((policy) => [policy.name, policy]))
  const checks = compileGuards(route, { guards, policies: named })
  return (request) => passFrom(0, checks, request)
}

/**
 * Runs the checks in order, synchronously until one returns a promise.
 * @throws AppError 401, 403
 */
export function passFrom(
  index: number,
  checks: readonly GuardCheck[],
  request: GuardRequest,
): Awaitable<void> {
  const check = checks[index]
  if (check === undefined) return
  return andThen(check(request), () => passFrom(index + 1, checks, request))
}

/** The checks of all guards that apply to a route. */
export function compileGuards(
  route: Route,
  {
    guards,
    policies,
  }: { readonly guards: readonly RouteGuard[]; readonly policies: ReadonlyMap<string, Policy> },
): GuardCheck[] {
  const checks = guards.map((guard) => guard.compile(route, policies)).filter((check) => check !== undefined)
  if (checks.length > 0 || route.access === 'open') return checks
  return [assertAll]
}

/** No guard can check the route's access, for example because the auth plugin is switched off. */
function assertAll() {
  throw AppError.forbidden()
}
