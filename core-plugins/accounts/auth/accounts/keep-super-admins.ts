import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import { superAdmin } from '../roles/built-in-roles.ts'
import type { Account, Accounts } from './accounts.ts'

export interface AccountChange {
  readonly before: Account
  /** Undefined if the account is removed. */
  readonly after: Account | undefined
  readonly by: Principal
}

/**
 * Ensures that there is always an active super-admin, and that super-admins do not remove their own role by
 * mistake. Content users are never super-admins.
 * @throws AppError 409
 */
export async function keepSuperAdmins(
  accounts: Accounts,
  { before, after, by }: AccountChange,
  tx: Transaction,
): Promise<void> {
  if (!isActiveSuperAdmin(before) || isActiveSuperAdmin(after)) return
  const active = await accounts.lockActiveWithRole(superAdmin, tx)
  if (!active.some((id) => id !== before.id)) {
    throw new AppError('RESTRICTED', 'this is the last active super-admin; make another one first')
  }
  if (by.kind === 'admin' && by.id === before.id) {
    throw new AppError('RESTRICTED', 'this is your own account; ask another super-admin to do it')
  }
}

function isActiveSuperAdmin(account: Account | undefined): boolean {
  return account?.role === superAdmin && !account.blocked
}
