import { clientOf } from '../../../foundation/http/http.ts'
import type { AccountSystem } from '../accounts/account-system.ts'
import { type Account, normalizeEmail } from '../accounts/accounts.ts'
import type { PasswordHasher } from '../passwords/password-hash.ts'
import { unauthenticated } from '../roles/authorization.ts'
import type { KnownDevices } from './known-devices.ts'
import { attemptSubject, type LoginAttempts } from './login-attempts.ts'
import type { LoginRate } from './login-rate.ts'

export interface Credentials {
  readonly identifier: string
  readonly password: string
}

/** The origin of a sign-in. */
export interface SignInOrigin {
  /** The client's address. */
  readonly ip: string
  /** The header. */
  readonly cookies: string | undefined
}

export interface SignedIn {
  readonly account: Account
  /** The `Set-Cookie` header that identifies an admin user's browser from now on. */
  readonly deviceCookie: string | undefined
}

/** Verifies passwords, including the lock-out, for both kinds of account. */
export interface SignIn {
  /**
   * The account that the credentials belong to. The response and its timing are the same whether the
   * identifier is known or not. A browser in which an admin user has signed in before has a lock of its own.
   * @throws AppError 401, 429, 503 when too many are signing in
   */
  check(system: AccountSystem, credentials: Credentials, origin: SignInOrigin): Promise<SignedIn>
  /** Verifies the password of an account that is already signed in. @throws AppError 429, 503 */
  confirm(system: AccountSystem, account: Account, password: string): Promise<boolean>
  /** For callers who have proved their identity without the password. @throws AppError 401, 429 */
  admit(system: AccountSystem, account: Account): Promise<void>
  /** Unlocks the account's identifiers after its owner has proved their identity by other means. */
  forgive(system: AccountSystem, account: Account): Promise<void>
}

export interface SignInParts {
  readonly attempts: LoginAttempts
  readonly hasher: PasswordHasher
  readonly rate: LoginRate
  readonly devices: KnownDevices
}

/** Creates the password checks. */
export function createSignIn({ attempts, hasher, rate, devices }: SignInParts): SignIn {
  /** The name of a known device of this identifier's admin user. */
  async function knownDevice(system: AccountSystem, identifier: string, cookies: string | undefined) {
    const device = system.kind === 'admin' ? devices.read(cookies) : undefined
    if (device === undefined) return undefined
    const account = await system.accounts.findByIdentifier(identifier)
    return account?.id === device.accountId ? device.name : undefined
  }

  return {
    async check(system, { identifier, password }, { ip, cookies }) {
      const name = await knownDevice(system, identifier, cookies)
      const takeBack = name === undefined ? rate.begin(ip) : undefined
      const subject =
        name === undefined ? loginSubject(system, identifier) : attemptSubject('admin-device', name)
      const account = await attempts.attempt(subject, async () => {
        const found = await system.accounts.findByIdentifier(identifier)
        return (await hasher.matches(found?.passwordHash, password, clientOf(ip))) ? found : undefined
      })
      if (account === undefined) throw unauthenticated('the identifier or the password is wrong')
      takeBack?.()
      assertNotBlocked(account)
      const isAdmin = system.kind === 'admin'
      return { account, deviceCookie: isAdmin ? devices.remember(account.id, name) : undefined }
    },
    async confirm(system, account, password) {
      const subject = attemptSubject(`${system.kind}-confirm`, String(account.id))
      const isConfirmed = await attempts.attempt(
        subject,
        async () =>
          (await hasher.matches(account.passwordHash, password, sourceOf(system, account))) || undefined,
      )
      return isConfirmed === true
    },
    async admit(system, account) {
      assertNotBlocked(account)
      for (const subject of loginSubjects(system, account)) await attempts.assertUnlocked(subject)
    },
    async forgive(system, account) {
      for (const subject of loginSubjects(system, account)) await attempts.forgive(subject)
    },
  }
}

/** Each signed-in account is a source of its own, so that it does not wait for others. */
function sourceOf({ kind }: AccountSystem, { id }: Account): string {
  return `${kind} ${id}`
}

/** @throws AppError 401 */
export function assertNotBlocked({ blocked }: Account): void {
  if (blocked) throw unauthenticated('this account is blocked')
}

/** The key under which failed logins of an account are counted. */
export function loginSubjects(system: AccountSystem, { email, username }: Account): string[] {
  return [email, username].map((identifier) => loginSubject(system, identifier))
}

function loginSubject(system: AccountSystem, identifier: string): string {
  // Different spellings of one address share a key.
  const name = identifier.includes('@') ? normalizeEmail(identifier) : identifier
  return attemptSubject(`${system.kind}-login`, name)
}
