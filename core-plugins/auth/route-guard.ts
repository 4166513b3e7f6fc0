import type {
  Access,
  GuardRequest,
  Policy,
  Principal,
  Route,
  RouteGuard,
  TokenPrincipal,
} from '../http/http.ts'
import { isAdministrator, isSuperAdmin, mayAdminister, refuse, unauthenticated } from './judge.ts'
import { hasScope } from './scopes.ts'

/** Enforces what a route's `access`, `scope` and `policies` say; see `Access`. */
export const routeGuard: RouteGuard = {
  compile(route, policies) {
    const named = policiesOf(route, policies)
    if (route.access === 'open' && named.length === 0) return undefined
    const checkPrincipal = principalCheck(route)
    return (request) => {
      checkPrincipal(request.principal)
      return holdAll(named, request, 0)
    }
  },
}

/** @throws Error at the start, before anybody could call the route */
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

/** Stays synchronous as long as the policies do. */
function holdAll(policies: readonly Policy[], request: GuardRequest, from: number): void | Promise<void> {
  for (let index = from; index < policies.length; index++) {
    const held = policies[index]?.check(request)
    if (held === false) refuse(request.principal)
    if (held instanceof Promise) return holdRest(held, policies, request, index + 1)
  }
}

async function holdRest(
  held: Promise<boolean>,
  policies: readonly Policy[],
  request: GuardRequest,
  from: number,
): Promise<void> {
  if (!(await held)) refuse(request.principal)
  return holdAll(policies, request, from)
}

function principalCheck(route: Route): (principal: Principal) => void {
  const anyOf = [route.scope ?? []].flat()
  const isAllowed = allowed[route.access]
  const isOfOtherSystem = otherSystem[route.access]
  return (principal) => {
    if (isOfOtherSystem(principal)) throw unauthenticated('this token is of the other system of accounts')
    const mayPass =
      principal.kind === 'token' ? tokenMayPass(route.access, anyOf, principal) : isAllowed(principal)
    if (!mayPass) refuse(principal)
  }
}

function tokenMayPass(access: Access, anyOf: readonly string[], token: TokenPrincipal): boolean {
  if (access === 'open') return true
  if (access === 'area') return anyOf.some((scope) => mayAdminister(token, scope))
  return access === 'permission' && anyOf.some((scope) => hasScope(token.scopes, scope))
}

/** Who may pass, apart from tokens. */
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

/** Whose tokens do not count, because they are of the other one of the two systems; decisions.md, 5. */
const otherSystem: Readonly<Record<Access, (principal: Principal) => boolean>> = {
  open: isNeither,
  permission: isNeither,
  user: isAdminUser,
  'admin-user': isUser,
  area: isUser,
  'super-admin': isUser,
}
