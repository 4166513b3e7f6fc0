import type { Permissions } from '../auth-service.ts'
import { contentActions, everyType, mediaActions } from './permissions.ts'

export interface BuiltInRole {
  readonly name: string
  readonly description: string
  readonly permissions: Permissions
}

/** May do everything; neither its permissions nor its last holder can be removed. */
export const superAdmin = 'super-admin'
/** May do everything except what only a super-admin may. */
export const admin = 'admin'
/** The role of content users without a custom role. */
export const authenticated = 'authenticated'
/** The role of callers without credentials. */
export const publicRole = 'public'

const everything: Permissions = {
  content: { [everyType]: allOf(contentActions) },
  media: allOf(mediaActions),
}
const nothing: Permissions = { content: {}, media: {} }

/** Specification, "Authentication", 3; see docs/auth.md. Created if missing, edited by admins afterwards. */
export const builtInRoles: readonly BuiltInRole[] = [
  { name: superAdmin, description: 'May do everything', permissions: everything },
  { name: admin, description: 'Manages content, users and settings', permissions: everything },
  { name: 'editor', description: 'Edits and publishes content and media', permissions: everything },
  { name: authenticated, description: 'Content users who have signed in', permissions: nothing },
  { name: publicRole, description: 'Everyone, without signing in', permissions: nothing },
]

/** Roles that content users cannot have. */
export const adminRoles: ReadonlySet<string> = new Set([superAdmin, admin, 'editor'])

/** Roles that admin users cannot have. */
export const visitorRoles: ReadonlySet<string> = new Set([authenticated, publicRole])

/** True for roles whose assignment, changes and accounts are up to super-admins only. */
export function isReservedForSuperAdmin(role: string): boolean {
  return role === superAdmin || role === admin
}

function allOf<Action extends string>(actions: readonly Action[]): Record<Action, boolean> {
  return Object.fromEntries(actions.map((action) => [action, true])) as Record<Action, boolean>
}
