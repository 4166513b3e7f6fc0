import { AppError, type Principal } from '../http/http.ts'
import type { Auth, Permissions } from './auth.ts'
import { admin, publicRole, superAdmin } from './built-in-roles.ts'
import { type CompiledPermissions, contentActions, everyType, mediaActions } from './permissions.ts'
import { contentScopes, fullAccess, hasScope, mediaScopes } from './scopes.ts'

/** The compiled permissions of a role, by its name; those of an unknown role allow nothing. */
export type PermissionsOf = (role: string) => CompiledPermissions

/** What is answered from memory. */
export type Judge = Omit<Auth, 'contentUsersReplaced' | 'keyFor'>

/** The service that other plugins ask, but for what does not come from memory. */
export function createAuth(permissionsOf: PermissionsOf): Judge {
  const mayContent: Judge['mayContent'] = (principal, type, action) => {
    if (principal.kind === 'token') return hasScope(principal.scopes, contentScopes[action])
    return isSuperAdmin(principal) || permissionsOf(roleOf(principal)).mayContent(type, action)
  }
  return {
    mayContent,
    mayMedia(principal, action) {
      if (principal.kind === 'token') return hasScope(principal.scopes, mediaScopes[action])
      return isSuperAdmin(principal) || permissionsOf(roleOf(principal)).mayMedia(action)
    },
    seesDrafts(principal, type) {
      if (principal.kind === 'admin') return mayContent(principal, type, 'read')
      return principal.kind === 'token' && seesDraftsByScope(principal.scopes)
    },
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
  if (principal.kind === 'admin') return principal.role === superAdmin || principal.role === admin
  return principal.kind === 'token' && principal.scopes.has(fullAccess)
}

/** See `Auth`. */
export function refuse(principal: Principal): never {
  if (principal.kind === 'anonymous') throw unauthenticated('sign in, or send an API token')
  throw new AppError('FORBIDDEN', 'you are not allowed to do this')
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
  if (principal.kind === 'token') return scopes.every((scope) => hasScope(principal.scopes, scope))
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
