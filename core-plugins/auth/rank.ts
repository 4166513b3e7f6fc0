import type { Principal } from '../http/http.ts'
import type { Account } from './accounts.ts'
import { authenticated, isReservedForSuperAdmin } from './built-in-roles.ts'
import { isSuperAdmin, type Judge, mayHandOut } from './judge.ts'
import type { Roles } from './roles.ts'

/** What is to be done to an account, as far as rank matters. */
export interface RankedChange {
  /** A role that the account does not have yet. */
  readonly newRole?: string | undefined
  /** A new password opens the account to whoever sets it. */
  readonly setsPassword?: boolean
}

/**
 * Tells whether `by` may change an account (none yet, when it is being made). Only super-admins touch
 * admins and super-admins, and nobody gets at a role that may do more than they may themselves.
 */
export type MayChangeAccount = (by: Principal, account: Account | undefined, change: RankedChange) => boolean

/** The rule, for the roles in memory. */
export function createRankRule(auth: Judge, roles: Roles): MayChangeAccount {
  const mayGive = (by: Principal, role: string) => {
    if (isReservedForSuperAdmin(role)) return false
    // Whoever registers gets this one, so there is nothing to hand out.
    if (role === authenticated) return true
    const permissions = roles.named(role)?.permissions
    return permissions === undefined || mayHandOut(auth, by, permissions)
  }
  return (by, account, { newRole, setsPassword = false }) => {
    if (isSuperAdmin(by)) return true
    if (account !== undefined && isReservedForSuperAdmin(account.role)) return false
    if (account !== undefined && setsPassword && !mayGive(by, account.role)) return false
    return newRole === undefined || newRole === account?.role || mayGive(by, newRole)
  }
}
