import { AppError, type Principal } from '../http/http.ts'
import type { Auth, Permissions } from './auth.ts'
import { admin, publicRole, superAdmin } from './built-in-roles.ts'
import { type CompiledPermissions, contentActions, everyType, mediaActions } from './permissions.ts'
import { contentScopes, fullAccess, hasScope, mediaScopes } from './scopes.ts'

/** The compiled permissions of a role, by its name; those of an unknown role allow nothing. */
export type PermissionsOf = (role: string) => CompiledPermissions

/** What is answered from memory. */
export type Judge = Omit<Auth, 'contentUsersReplaced' | 'keyFor' | 'makers' | 'mayGiveRole'>

/** The service that other plugins ask, but for what does not come from memory. */
export function createAuth(permissionsOf: PermissionsOf): Judge {
  const mayContent: Judge['mayContent'] = (principal, type, action) => {
    if (principal.kind === 'token') {
      const { scopes, maker } = principal
      return (
        hasScope(scopes, contentScopes[action]) && (maker === undefined || mayContent(maker, type, action))
      )
    }
    return isSuperAdmin(principal) || permissionsOf(roleOf(principal)).mayContent(type, action)
  }
  const mayMedia: Judge['mayMedia'] = (principal, action) => {
    if (principal.kind === 'token') {
      const { scopes, maker } = principal
      return hasScope(scopes, mediaScopes[action]) && (maker === undefined || mayMedia(maker, action))
    }
    return isSuperAdmin(principal) || permissionsOf(roleOf(principal)).mayMedia(action)
  }
  const seesDrafts: Judge['seesDrafts'] = (principal, type) => {
    if (principal.kind === 'admin') return mayContent(principal, type, 'read')
    if (principal.kind !== 'token') return false
    const { scopes, maker } = principal
    return seesDraftsByScope(scopes) && (maker === undefined || seesDrafts(maker, type))
  }
  return {
    mayContent,
    mayMedia,
    seesDrafts,
    mayAdminister,
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
export function refuse(principal: Principal): never {
  if (principal.kind === 'anonymous') throw unauthenticated('sign in, or send an API token')
  throw AppError.forbidden()
}

/** 401 with the header that RFC 9110 asks for. */
export function unauthenticated(message: string): AppError {
  return new AppError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': 'Bearer' } })
}

/** True if `permissions` hold nothing that the principal may not do itself: nobody hands out more than they have. */
export function mayHandOut(auth: Judge, principal: Principal, permissions: Permissions): boolean {
  const mayGrantContent = Object.entries(permissions.content).every(([type, granted]) =>
    contentActions.every((action) => granted[action] !== true || auth.mayContent(principal, type, action)),
  )
  const mayGrantMedia = mediaActions.every(
    (action) => permissions.media[action] !== true || auth.mayMedia(principal, action),
  )
  return mayGrantContent && mayGrantMedia
}

/** True if the principal may make a token with these scopes. It is an administrator or has a scope for tokens. */
export function mayHandOutScopes(auth: Judge, principal: Principal, scopes: readonly string[]): boolean {
  if (principal.kind === 'token') {
    const { scopes: own, maker } = principal
    if (!scopes.every((scope) => hasScope(own, scope))) return false
    return maker === undefined || mayHandOutScopes(auth, maker, scopes)
  }
  return scopes.every((scope) => isCovered(auth, principal, scope))
}

// Tokens are not limited to types, so an admin whose role was limited must not get past that with one.
function isCovered(auth: Judge, principal: Principal, scope: string): boolean {
  const isFull = scope === fullAccess
  return (
    contentActions.every(
      (action) =>
        !(isFull || contentScopes[action] === scope) || auth.mayContent(principal, everyType, action),
    ) &&
    mediaActions.every(
      (action) => !(isFull || mediaScopes[action] === scope) || auth.mayMedia(principal, action),
    )
  )
}

function roleOf(principal: Exclude<Principal, { kind: 'token' }>): string {
  return principal.kind === 'anonymous' ? publicRole : principal.role
}

function seesDraftsByScope(scopes: ReadonlySet<string>): boolean {
  return scopes.has('content:write') || scopes.has('content:publish') || scopes.has(fullAccess)
}
