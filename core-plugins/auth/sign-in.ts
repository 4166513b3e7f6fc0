import { clientOf } from '../http/http.ts'
import type { AccountSystem } from './account-system.ts'
import type { Account } from './accounts.ts'
import { unauthenticated } from './judge.ts'
import type { KnownDevices } from './known-devices.ts'
import { attemptSubject, type LoginAttempts } from './login-attempts.ts'
import type { LoginRate } from './login-rate.ts'
import type { PasswordHasher } from './password-hash.ts'

export interface Credentials {
  readonly identifier: string
  readonly password: string
}

/** Where somebody signs in from. */
export interface SignInOrigin {
  /** The client's address. */
  readonly ip: string
  /** The header. */
  readonly cookies: string | undefined
}

export interface SignedIn {
  readonly account: Account
  /** The `Set-Cookie` header by which the browser of an admin user is known from now on. */
  readonly deviceCookie: string | undefined
}

/** Checks passwords, with the lock-out; of either kind of accounts. */
export interface SignIn {
  /**
   * The account that the credentials are of. The answer and its time are the same whether the identifier is
   * known or not. A browser in which an admin user has signed in before has a lock of its own.
   * @throws AppError 401, 429, 503 where too many are signing in
   */
  check(system: AccountSystem, credentials: Credentials, origin: SignInOrigin): Promise<SignedIn>
  /** Whether it is the password of somebody who is signed in already. @throws AppError 429, 503 */
  confirm(system: AccountSystem, account: Account, password: string): Promise<boolean>
  /** For somebody who has shown in another way than by the password whose account it is. @throws AppError 401, 429 */
  admit(system: AccountSystem, account: Account): Promise<void>
  /** Unlocks the account's identifiers, when it has proved itself in another way. */
  forgive(system: AccountSystem, account: Account): Promise<void>
}

export interface SignInParts {
  readonly attempts: LoginAttempts
  readonly hasher: PasswordHasher
  readonly rate: LoginRate
  readonly devices: KnownDevices
}

/** Makes the checks. */
export function createSignIn({ attempts, hasher, rate, devices }: SignInParts): SignIn {
  /** The name of a browser that the admin user of this identifier has signed in with. */
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
      refuseBlocked(account)
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
      refuseBlocked(account)
      for (const subject of loginSubjects(system, account)) await attempts.expectUnlocked(subject)
    },
    async forgive(system, account) {
      for (const subject of loginSubjects(system, account)) await attempts.forgive(subject)
    },
  }
}

/** Whoever is signed in waits for nobody else's turn. */
function sourceOf({ kind }: AccountSystem, { id }: Account): string {
  return `${kind} ${id}`
}

/** @throws AppError 401 */
export function refuseBlocked({ blocked }: Account): void {
  if (blocked) throw unauthenticated('this account is blocked')
}

/** What failed logins of an account are counted under. */
export function loginSubjects(system: AccountSystem, { email, username }: Account): string[] {
  return [email, username].map((identifier) => loginSubject(system, identifier))
}

function loginSubject(system: AccountSystem, identifier: string): string {
  return attemptSubject(`${system.kind}-login`, identifier)
}
