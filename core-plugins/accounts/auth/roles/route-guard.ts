import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import {
  type Access,
  anyScope,
  type GuardRequest,
  type Policy,
  type Principal,
  type Route,
  type RouteGuard,
  type TokenPrincipal,
} from '../../../foundation/http/http.ts'
import { hasScope, hasScopeFor, hasScopeForSome } from '../tokens/scopes.ts'
import { isAdministrator, isSuperAdmin, mayAdminister, refuse, unauthenticated } from './authorization.ts'

/** Enforces a route's `access`, `scope` and `policies`; see `Access`. */
export const routeGuard: RouteGuard = {
  compile(route, policies) {
    const named = policiesOf(route, policies)
    if (route.access === 'open' && named.length === 0) return undefined
    const checkPrincipal = principalCheck(route, named)
    return (request) => {
      checkPrincipal(request)
      return holdAll(named, request, 0)
    }
  },
}

/** @throws Error at start, before anybody could call the route */
function policiesOf({ name, access, policies: names = [] }: Route, policies: ReadonlyMap<string, Policy>) {
  if (access === 'permission' && names.length === 0) {
    throw new Error(
      `route ${name} has access 'permission' but names no policies; name one, or change its access`,
    )
  }
  return names.map((policyName) => {
    const policy = policies.get(policyName)
    if (policy === undefined)
      throw new Error(`route ${name} names the policy ${policyName}, which is unknown`)
    return policy
  })
}

/** Synchronous as long as the policies are. */
function holdAll(policies: readonly Policy[], request: GuardRequest, from: number): Awaitable<void> {
  const policy = policies[from]
  if (policy === undefined) return
  return andThen(policy.check(request), (isHeld) => {
    if (!isHeld) refuse(request.principal)
    return holdAll(policies, request, from + 1)
  })
}

function principalCheck(route: Route, named: readonly Policy[]): (request: GuardRequest) => void {
  const mayPassWith = tokenCheck(route, named)
  const isAllowed = allowed[route.access]
  const isOfOtherSystem = otherSystem[route.access]
  return (request) => {
    const { principal } = request
    if (isOfOtherSystem(principal)) throw unauthenticated('this token is of the other system of accounts')
    const mayPass = principal.kind === 'token' ? mayPassWith(principal, request) : isAllowed(principal)
    if (!mayPass) refuse(principal)
  }
}

type TokenCheck = (token: TokenPrincipal, request: GuardRequest) => boolean

function tokenCheck({ access, scope: required = [] }: Route, named: readonly Policy[]): TokenCheck {
  const anyOf = [required].flat()
  if (access === 'open') return () => true
  if (access === 'area') return (token) => anyOf.some((scope) => mayAdminister(token, scope))
  if (access !== 'permission') return () => false
  if (anyOf.includes(anyScope)) return () => true
  const isForSome = named.some(({ checksTypes = false }) => checksTypes) ? hasScopeForSome : hasScope
  return ({ scopes }, { params: { type } }) =>
    anyOf.some((scope) => (type === undefined ? isForSome(scopes, scope) : hasScopeFor(scopes, scope, type)))
}

/** Which principals may pass, tokens aside. */
const allowed: Readonly<Record<Access, (principal: Principal) => boolean>> = {
  open: () => true,
  permission: () => true,
  user: ({ kind }) => kind === 'user',
  'admin-user': ({ kind }) => kind === 'admin',
  area: isAdministrator,
  'super-admin': isSuperAdmin,
}

const isUser = ({ kind }: Principal) => kind === 'user'
const isAdminUser = ({ kind }: Principal) => kind === 'admin'
const isNeither = () => false

/** The kind whose tokens are ignored, as they belong to the other account system; see docs/auth.md. */
const otherSystem: Readonly<Record<Access, (principal: Principal) => boolean>> = {
  open: isNeither,
  permission: isNeither,
  user: isAdminUser,
  'admin-user': isUser,
  area: isUser,
  'super-admin': isUser,
}
