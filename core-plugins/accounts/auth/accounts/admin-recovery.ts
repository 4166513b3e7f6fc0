import { AppError, bodyValidator } from '../../../foundation/http/http.ts'
import { operator } from '../operator.ts'
import type { LoginAttempts } from '../sign-in/login-attempts.ts'
import { loginSubjects } from '../sign-in/sign-in.ts'
import type { AccountSystem } from './account-system.ts'
import type { Account } from './accounts.ts'
import type { AdminRecovery, AdminUser } from './admin-recovery-service.ts'
import { newAdminUserBody } from './admin-users.ts'

export interface AdminRecoveryOptions {
  readonly system: AccountSystem
  readonly attempts: LoginAttempts
}

export function createAdminRecovery({ system, attempts }: AdminRecoveryOptions): AdminRecovery {
  const { accounts, changes } = system
  // The password is known to someone other than its owner.
  const extra = { mustChangePassword: true }
  return {
    async create(user) {
      const problems = bodyValidator(newAdminUserBody)(user)
      if (problems.length > 0) throw AppError.invalid(problems)
      return presentUser(await changes.create({ ...user, extra }, operator))
    },
    async resetPassword(identifier, password) {
      const found = await accounts.findByIdentifier(identifier)
      if (found === undefined) throw AppError.notFound(`admin user ${identifier}`)
      const account = await changes.update(found.id, { password, extra }, operator)
      for (const subject of loginSubjects(system, account)) await attempts.forgive(subject)
      return presentUser(account)
    },
  }
}

function presentUser({ id, email, username, role, blocked }: Account): AdminUser {
  return { id, email, username, role, blocked }
}
