import { AppError } from '../http/http.ts'
import type { AccountSystem } from './account-system.ts'
import type { Account } from './accounts.ts'
import { unauthenticated } from './judge.ts'
import { attemptSubject, type LoginAttempts } from './login-attempts.ts'
import type { PasswordHasher } from './password-hash.ts'

export interface Credentials {
  readonly identifier: string
  readonly password: string
}

/** Checks passwords, with the lock-out; of either kind of accounts. */
export interface SignIn {
  /**
   * The account that the credentials are of. The answer and its time are the same whether the identifier is
   * known or not. @throws AppError 401, 429
   */
  check(system: AccountSystem, credentials: Credentials): Promise<Account>
  /** For somebody who is signed in already. @throws AppError 400 at `currentPassword`, 429 */
  confirm(system: AccountSystem, account: Account, password: string): Promise<void>
  /** For somebody who has shown in another way than by the password whose account it is. @throws AppError 401, 429 */
  admit(system: AccountSystem, account: Account): Promise<void>
  /** Unlocks the account's identifiers, when it has proved itself in another way. */
  forgive(system: AccountSystem, account: Account): Promise<void>
}

/** Makes the checks. */
export function createSignIn(attempts: LoginAttempts, hasher: PasswordHasher): SignIn {
  return {
    async check(system, { identifier, password }) {
      const account = await attempts.attempt(loginSubject(system, identifier), async () => {
        const found = await system.accounts.findByIdentifier(identifier)
        return (await hasher.matches(found?.passwordHash, password)) ? found : undefined
      })
      if (account === undefined) throw unauthenticated('the identifier or the password is wrong')
      refuseBlocked(account)
      return account
    },
    async confirm(system, account, password) {
      const subject = attemptSubject(`${system.kind}-confirm`, String(account.id))
      const isConfirmed = await attempts.attempt(
        subject,
        async () => (await hasher.matches(account.passwordHash, password)) || undefined,
      )
      if (isConfirmed) return
      throw AppError.invalid([{ path: 'currentPassword', code: 'incorrect', message: 'is not the password' }])
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

/** @throws AppError 401 */
export function refuseBlocked({ blocked }: Account): void {
  if (blocked) throw unauthenticated('this account is blocked')
}

function loginSubjects(system: AccountSystem, { email, username }: Account): string[] {
  return [email, username].map((identifier) => loginSubject(system, identifier))
}

function loginSubject(system: AccountSystem, identifier: string): string {
  return attemptSubject(`${system.kind}-login`, identifier)
}
