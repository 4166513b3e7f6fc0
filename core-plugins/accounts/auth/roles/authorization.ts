import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { Auth, Permissions } from '../auth-service.ts'
import {
  contentScopes,
  fullAccess,
  hasScope,
  hasScopeFor,
  mediaScopes,
  seesDraftsByScope,
  typedScopeOf,
} from '../tokens/scopes.ts'
import { admin, publicRole, superAdmin } from './built-in-roles.ts'
import { type CompiledPermissions, contentActions, everyType, mediaActions } from './permissions.ts'

/** The compiled permissions of a role by name; an unknown role has none. */
export type PermissionsOf = (role: string) => CompiledPermissions

/** The checks that are answered from memory. */
export type Authorization = Omit<
  Auth,
  'contentUsersReplaced' | 'freshen' | 'keyFor' | 'makers' | 'mayGiveRole' | 'onRolesChange' | 'principalOf'
>

/** The service for other plugins, without what needs the database. */
export function createAuth(permissionsOf: PermissionsOf): Authorization {
  const mayContent: Authorization['mayContent'] = (principal, type, action) => {
    if (principal.kind === 'token') {
      const { scopes, maker } = principal
      return (
        hasScopeFor(scopes, contentScopes[action], type) &&
        (maker === undefined || mayContent(maker, type, action))
      )
    }
    return isSuperAdmin(principal) || permissionsOf(roleOf(principal)).mayContent(type, action)
  }
  const mayMedia: Authorization['mayMedia'] = (principal, action) => {
    if (principal.kind === 'token') {
      const { scopes, maker } = principal
      return hasScope(scopes, mediaScopes[action]) && (maker === undefined || mayMedia(maker, action))
    }
    return isSuperAdmin(principal) || permissionsOf(roleOf(principal)).mayMedia(action)
  }
  const seesDrafts: Authorization['seesDrafts'] = (principal, type) => {
    if (principal.kind === 'admin') return mayContent(principal, type, 'read')
    if (principal.kind !== 'token') return false
    const { scopes, maker } = principal
    return seesDraftsByScope(scopes, type) && (maker === undefined || seesDrafts(maker, type))
  }
  return {
    mayContent,
    mayMedia,
    seesDrafts,
    mayAdminister,
    knowsAdminNames,
    isAdministrator,
    isSuperAdmin,
    refuse,
  }
}

export function isSuperAdmin(principal: Principal): boolean {
  return principal.kind === 'admin' && principal.role === superAdmin
}

/** See `Auth`. */
export function isAdministrator(principal: Principal): boolean {
  return mayAdminister(principal, fullAccess)
}

/** See `Auth`. */
export function mayAdminister(principal: Principal, scope: string): boolean {
  if (principal.kind === 'admin') return principal.role === superAdmin || principal.role === admin
  if (principal.kind !== 'token' || !hasScope(principal.scopes, scope)) return false
  return principal.maker === undefined || mayAdminister(principal.maker, scope)
}

/** See `Auth`. */
export function knowsAdminNames(principal: Principal): boolean {
  return principal.kind === 'admin' || mayAdminister(principal, 'admin:users:read')
}

/** See `Auth`. */
export function refuse(principal: Principal): never {
  if (principal.kind === 'anonymous') throw unauthenticated('sign in, or send an API token')
  throw AppError.forbidden()
}

/** 401 with the header that RFC 9110 requires. */
export function unauthenticated(message: string): AppError {
  return new AppError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': 'Bearer' } })
}

/** True if the principal holds all of `permissions`, since callers may grant only what they have. */
export function mayHandOut(auth: Authorization, principal: Principal, permissions: Permissions): boolean {
  const mayGrantContent = Object.entries(permissions.content).every(([type, granted]) =>
    contentActions.every((action) => granted[action] !== true || auth.mayContent(principal, type, action)),
  )
  const mayGrantMedia = mediaActions.every(
    (action) => permissions.media[action] !== true || auth.mayMedia(principal, action),
  )
  return mayGrantContent && mayGrantMedia
}

/**
 * True if the principal, an administrator or a token with a scope for tokens, may make a token with these
 * scopes.
 */
export function mayHandOutScopes(
  auth: Authorization,
  principal: Principal,
  scopes: readonly string[],
): boolean {
  if (principal.kind === 'token') {
    const { scopes: own, maker } = principal
    if (!scopes.every((scope) => holds(own, scope))) return false
    return maker === undefined || mayHandOutScopes(auth, maker, scopes)
  }
  return scopes.every((scope) => isCovered(auth, principal, scope))
}

/** A scope for all types includes the scope for one type. */
function holds(own: ReadonlySet<string>, scope: string): boolean {
  const typed = typedScopeOf(scope)
  return typed === undefined ? hasScope(own, scope) : hasScopeFor(own, typed.scope, typed.type)
}

// Prevents admins with a limited role from getting more rights with a token.
function isCovered(auth: Authorization, principal: Principal, asked: string): boolean {
  const isFull = asked === fullAccess
  const { scope, type } = typedScopeOf(asked) ?? { scope: asked, type: everyType }
  return (
    contentActions.every(
      (action) => !(isFull || contentScopes[action] === scope) || auth.mayContent(principal, type, action),
    ) &&
    (scope !== 'content:drafts' || auth.seesDrafts(principal, type)) &&
    mediaActions.every(
      (action) => !(isFull || mediaScopes[action] === scope) || auth.mayMedia(principal, action),
    )
  )
}

function roleOf(principal: Exclude<Principal, { kind: 'token' }>): string {
  return principal.kind === 'anonymous' ? publicRole : principal.role
}
