import type { ErrorDetail, Principal } from '../../../foundation/http/http.ts'
import type { CheckPassword } from '../passwords/password-rules.ts'
import { refuse } from '../roles/authorization.ts'
import { adminRoles, publicRole, visitorRoles } from '../roles/built-in-roles.ts'
import type { MayChangeAccount } from '../roles/rank.ts'
import type { Roles } from '../roles/roles.ts'
import type { AccountKind } from '../sessions/session-tokens.ts'
import type { AccountInput } from './account-input.ts'
import { type Account, normalizeEmail } from './accounts.ts'

/** Checks of a change before anything is written. */
export interface AccountChecks {
  /** @throws AppError 403 if `by` may not manage the account, its role or the new role */
  rank(by: Principal, account: Account | undefined, patch: Partial<AccountInput>): void
  /** All problems of role and password. */
  problems(patch: Partial<AccountInput>, account?: Account): Promise<ErrorDetail[]>
}

export interface AccountChecksOptions {
  readonly kind: AccountKind
  readonly roles: Roles
  readonly checkPassword: CheckPassword
  readonly mayChange: MayChangeAccount
}

/** Creates the checks for one kind of account. */
export function createAccountChecks(options: AccountChecksOptions): AccountChecks {
  const { kind, roles, checkPassword, mayChange } = options

  function roleProblems(role: string): ErrorDetail[] {
    if (canHave(kind, role, roles)) return []
    return [{ path: 'role', code: 'unknown', message: 'is not a role that such an account can have' }]
  }

  return {
    rank(by, account, { role, password, email }) {
      const movesMail = email !== undefined && normalizeEmail(email) !== account?.email
      const change = { newRole: role, opensAccount: password !== undefined || movesMail }
      if (!mayChange(by, account, change)) refuse(by)
    },
    async problems(patch, account) {
      const { role, password } = patch
      const identifiers = [patch.email ?? account?.email ?? '', patch.username ?? account?.username ?? '']
      return [
        ...(role === undefined ? [] : roleProblems(role)),
        ...(password === undefined ? [] : await checkPassword({ password, identifiers, path: 'password' })),
      ]
    },
  }
}

/** True for existing roles that accounts of the kind can have. */
export function canHave(kind: AccountKind, role: string, roles: Roles): boolean {
  return isFitting(kind, role) && roles.named(role) !== undefined
}

/** Custom roles suit both kinds of account. */
function isFitting(kind: AccountKind, role: string): boolean {
  return kind === 'admin' ? !visitorRoles.has(role) : !adminRoles.has(role) && role !== publicRole
}
