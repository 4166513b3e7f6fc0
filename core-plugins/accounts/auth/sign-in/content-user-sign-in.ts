import { randomBytes } from 'node:crypto'
import type { Config } from '../../../foundation/config/config.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { type AccountSystem, openSession } from '../accounts/account-system.ts'
import { noPassword, normalizeEmail, normalizeUsername } from '../accounts/accounts.ts'
import type { UserAttributes } from '../accounts/user-attributes.ts'
import type { AccessState } from '../roles/access-state.ts'
import { unauthenticated } from '../roles/authorization.ts'
import { authenticated } from '../roles/built-in-roles.ts'
import type { SessionEvents } from '../sessions/session-events.ts'
import { sessionSchema } from '../sessions/session-routes.ts'
import type { SessionTokens } from '../sessions/session-tokens.ts'
import { registrationEnabled } from '../settings.ts'
import type { ContentUserSignIn } from './content-user-sign-in-service.ts'
import { assertNotBlocked, type SignIn } from './sign-in.ts'

export interface ContentUserSignInOptions {
  readonly config: Config
  readonly system: AccountSystem
  readonly sessions: SessionTokens
  readonly signIn: SignIn
  readonly events: SessionEvents
  readonly state: AccessState
  readonly attributes: UserAttributes
}

/** Creates the service with which other plugins sign in content users. */
export function createContentUserSignIn(options: ContentUserSignInOptions): ContentUserSignIn {
  const { config, system, sessions, signIn, events, state, attributes } = options
  const { accounts } = system

  async function freeUsername(name: string, tx: Transaction): Promise<string> {
    const username = usernameLike(name)
    const isTaken =
      (await accounts.findByIdentifier(username, tx)) !== undefined ||
      (await accounts.looks.isTaken(username, tx))
    if (!isTaken) return username
    return `${username}-${randomBytes(4).toString('hex')}`
  }

  function assertOpenRegistration(): void {
    if (!config.get(registrationEnabled)) throw AppError.forbidden('registration is closed')
    const missing = Object.keys(attributes.required)
    if (missing.length === 0) return
    throw AppError.forbidden(`register first: an account here also needs ${missing.join(', ')}`)
  }

  return {
    sessionSchema: sessionSchema(system.own.schema),
    async findByEmail(email, tx) {
      const found = await accounts.findByIdentifier(email, tx)
      const account = found === undefined ? undefined : await accounts.lock(found.id, tx)
      // The address may have changed, or the account may have been deleted, before the row was locked.
      if (account?.email !== normalizeEmail(email)) return undefined
      assertNotBlocked(account)
      return account
    },
    async create({ email, name }, tx) {
      assertOpenRegistration()
      const username = await freeUsername(name, tx)
      const names = { email: normalizeEmail(email), username }
      const columns = { ...names, passwordHash: noPassword, role: authenticated }
      return accounts.insert({ ...columns, ...attributes.defaults() }, tx)
    },
    async adopt({ email, username, blocked }, tx) {
      const found = await accounts.findByIdentifier(email, tx)
      if (found?.email === normalizeEmail(email)) return found
      const names = { email: normalizeEmail(email), username: await freeUsername(username, tx) }
      const columns = { ...names, passwordHash: noPassword, role: authenticated, blocked }
      return accounts.insert({ ...attributes.defaults(), ...columns }, tx)
    },
    async removePassword(userId, tx) {
      const account = await accounts.lock(userId, tx)
      if (account === undefined) throw accountGone()
      const tokenVersion = account.tokenVersion + 1
      await accounts.update({ ...account, passwordHash: noPassword, tokenVersion }, tx)
      await state.changeWithin('sessions', tx)
    },
    async openSession(userId, ip) {
      const account = await accounts.find(userId)
      if (account === undefined) throw accountGone()
      try {
        await signIn.admit(system, account)
      } catch (error) {
        if (error instanceof AppError) await events.loginFailed(account.email, ip, error)
        throw error
      }
      await events.loggedIn(account, ip)
      return openSession(system, sessions, account)
    },
  }
}

const longestName = 60

/** The allowed username closest to a name. */
export function usernameLike(name: string): string {
  const words = name.split(/\s+/u).map((word) => word.replace(/[@\p{C}]+/gu, ''))
  const short = [...words.filter((word) => word !== '').join(' ')].slice(0, longestName).join('').trimEnd()
  return normalizeUsername(short) || 'user'
}

function accountGone(): AppError {
  return unauthenticated('the account is gone')
}
