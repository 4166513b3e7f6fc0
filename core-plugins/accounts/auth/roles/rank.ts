import type { Principal } from '../../../foundation/http/http.ts'
import type { Account } from '../accounts/accounts.ts'
import { type Authorization, isSuperAdmin, mayHandOut } from './authorization.ts'
import { authenticated, isReservedForSuperAdmin } from './built-in-roles.ts'
import type { Roles } from './roles.ts'

/** A change to an account, as far as rank matters. */
export interface RankedChange {
  /** A role that the account does not have yet. */
  readonly newRole?: string | undefined
  /**
   * A new password, or a new e-mail address, to which a link for a new password can be sent. Either gives the caller
   * access to the account.
   */
  readonly opensAccount?: boolean
}

/**
 * Reports whether `by` may change an account (undefined while it is being created). Only super-admins manage admins and
 * super-admins, and callers cannot obtain a role with more permissions than their own.
 */
export type MayChangeAccount = (by: Principal, account: Account | undefined, change: RankedChange) => boolean

/** Creates the rule for the current roles. */
export function createRankRule(auth: Authorization, roles: Roles): MayChangeAccount {
  const mayGive = (by: Principal, role: string) => {
    if (isReservedForSuperAdmin(role)) return false
    // Every registered user gets this role, so assigning it grants nothing.
    if (role === authenticated) return true
    const permissions = roles.named(role)?.permissions
    return permissions === undefined || mayHandOut(auth, by, permissions)
  }
  return (by, account, { newRole, opensAccount = false }) => {
    if (isSuperAdmin(by)) return true
    if (account !== undefined && isReservedForSuperAdmin(account.role)) return false
    if (account !== undefined && opensAccount && !mayGive(by, account.role)) return false
    return newRole === undefined || newRole === account?.role || mayGive(by, newRole)
  }
}
