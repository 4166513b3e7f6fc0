import { randomBytes } from 'node:crypto'
import type { Config } from '../../../foundation/config/config.ts'
import type { PasswordHasher } from '../passwords/password-hash.ts'
import { superAdmin } from '../roles/built-in-roles.ts'
import { defaultAdminEmail, defaultAdminPassword } from '../settings.ts'
import type { Accounts } from './accounts.ts'
import { normalizeEmail } from './accounts.ts'
import { unlessTaken } from './taken.ts'

const username = 'admin'

/**
 * Creates the first super-admin if there is no admin user yet; specification, "What the service does".
 * `announce` gets the line with a generated password, which is shown nowhere else.
 */
export async function ensureFirstAdmin(options: {
  readonly accounts: Accounts
  readonly hasher: PasswordHasher
  readonly config: Config
  announce(line: string): void
}): Promise<void> {
  const { accounts, hasher, config, announce } = options
  const { total } = await accounts.list({ limit: 1, offset: 0 })
  if (total > 0) return
  const email = normalizeEmail(config.get(defaultAdminEmail))
  const given = config.get(defaultAdminPassword)
  const password = given === '' ? randomBytes(12).toString('base64url') : given
  const passwordHash = await hasher.hash(password)
  const account = { email, username, passwordHash, role: superAdmin, mustChangePassword: true }
  // Undefined if another process, starting at the same time, has created the account.
  const made = await unlessTaken(accounts.insert(account))
  if (made !== undefined && given === '') {
    announce(`First admin: ${email} (or "${username}"), password: ${password} - shown this once; change it`)
  }
}
