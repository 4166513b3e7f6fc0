import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database, RowOf, Transaction } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import { type Account, type Accounts, noPassword } from '../accounts/accounts.ts'
import type { PasswordTokensTable } from '../tables.ts'
import type { PasswordReset, PasswordResetDelivery } from './password-reset-delivery.ts'

/** Tokens with which the owner of an account sets its password without the old one; see docs/auth.md. */
export interface PasswordTokens {
  /** Issues a token for the account with this address, if it exists and may reset its password; `deliver` sends it. */
  issue(
    email: string,
    deliver: PasswordResetDelivery,
  ): Promise<{ readonly account: Account; readonly token: string } | undefined>
  /** A new token for the account, which replaces all earlier ones. */
  reissue(account: Account, tx: Transaction): Promise<PasswordReset>
  /** The account of a token; undefined if the token is unknown, used or expired. */
  accountOf(token: string): Promise<Account | undefined>
  /** Uses up all tokens of the account. @throws AppError 400 if this one was used in the meantime */
  consume(token: string, account: Account, tx: Transaction): Promise<void>
  /** Invalidates all tokens of the account. */
  revoke(accountId: number, tx: Transaction): Promise<void>
  /** Deletes expired rows. */
  removeExpired(): Promise<void>
}

export interface PasswordTokensOptions {
  readonly accounts: Accounts
  readonly table: PasswordTokensTable
  /** The key of the stored hashes, without which a copy of the table is useless. */
  readonly key: string
  readonly lifetimeMs: number
  /** Whether accounts that have never had a password may request a token. */
  readonly isForPasswordless: boolean
}

/** Creates the tokens of one purpose. */
export function createPasswordTokens(database: Database, options: PasswordTokensOptions): PasswordTokens {
  const { accounts, table, key, lifetimeMs, isForPasswordless } = options
  const queries = tokenQueries(database, table)
  const hash = (token: string) => createHmac('sha256', key).update(token).digest('hex')

  async function insert({ id: userId, email, username, tokenVersion }: Account, tx: Transaction) {
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(Date.now() + lifetimeMs).toISOString()
    await queries.insert.run({ tokenHash: hash(token), userId, tokenVersion, expiresAt }, tx)
    return { userId, email, username, token, expiresAt }
  }

  return {
    async issue(email, deliver) {
      const account = await accounts.findByIdentifier(email)
      if (account === undefined || account.blocked) return undefined
      if (!isForPasswordless && account.passwordHash === noPassword) return undefined
      const { token } = await database.transaction(async (tx) => {
        const made = await insert(account, tx)
        await deliver(tx, made)
        return made
      })
      return { account, token }
    },
    async reissue(account, tx) {
      await queries.removeOfUser.run({ userId: account.id }, tx)
      return insert(account, tx)
    },
    async accountOf(token) {
      const row = await queries.find.get({ tokenHash: hash(token) })
      const account = row === undefined ? undefined : await accounts.find(row.userId)
      return row !== undefined && account !== undefined && isCurrent(row, account) ? account : undefined
    },
    async consume(token, account, tx) {
      const { changes } = await queries.remove.run({ tokenHash: hash(token) }, tx)
      if (changes === 0) throw AppError.invalid([invalidToken])
      await queries.removeOfUser.run({ userId: account.id }, tx)
    },
    async revoke(userId, tx) {
      await queries.removeOfUser.run({ userId }, tx)
    },
    async removeExpired() {
      await queries.removeExpired.run({ now: new Date().toISOString() })
    },
  }
}

// A password, role or block changed since has ended everything the account had open, this token included.
function isCurrent(row: RowOf<PasswordTokensTable>, account: Account): boolean {
  const isYoung = Date.parse(row.expiresAt) > Date.now()
  return isYoung && row.tokenVersion === account.tokenVersion && !account.blocked
}

/** The problem of an invalid token. */
export const invalidToken: ErrorDetail = {
  path: 'token',
  code: 'invalid',
  message: 'is not valid, was used already or has expired',
}

function tokenQueries(database: Database, table: PasswordTokensTable) {
  const tokens = table.on(database)
  const { expiresAt } = table.columns
  return {
    find: tokens.find(['tokenHash']),
    insert: tokens.insert(),
    remove: tokens.delete(['tokenHash']),
    removeOfUser: tokens.delete(['userId']),
    removeExpired: tokens.delete((value) => sql`${expiresAt} < ${value(expiresAt, 'now')}`),
  }
}
