import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database, RowOf, Transaction } from '../database/database.ts'
import { AppError, type ErrorDetail } from '../http/http.ts'
import type { Account, Accounts } from './accounts.ts'
import type { PasswordResetDelivery } from './password-reset-delivery.ts'
import { passwordResetsTable } from './tables.ts'

/** Tokens with which content users who forgot their password set a new one; see docs/auth.md. */
export interface PasswordResets {
  /** A token for the account with this address, if there is one that may sign in; `deliver` sends it. */
  issue(
    email: string,
    deliver: PasswordResetDelivery,
  ): Promise<{ readonly account: Account; readonly token: string } | undefined>
  /** The account of a token; undefined if the token is unknown, used or expired. */
  accountOf(token: string): Promise<Account | undefined>
  /** Uses up all tokens of the account. @throws AppError 400 if this one was used in the meantime */
  consume(token: string, account: Account, tx: Transaction): Promise<void>
  /** Deletes expired rows. */
  removeExpired(): Promise<void>
}

const lifetimeMs = 60 * 60_000

type ResetRow = RowOf<typeof passwordResetsTable>

/** Creates the store over `svc_password_resets`; the hashes are keyed, so a copy of the table is useless. */
export function createPasswordResets(database: Database, accounts: Accounts, secret: string): PasswordResets {
  const queries = resetQueries(database)
  const hash = (token: string) => createHmac('sha256', secret).update(token).digest('hex')
  return {
    async issue(email, deliver) {
      const account = await accounts.findByIdentifier(email)
      if (account === undefined || account.blocked) return undefined
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(Date.now() + lifetimeMs).toISOString()
      const { id: userId, tokenVersion, username } = account
      const row = { tokenHash: hash(token), userId, tokenVersion, expiresAt }
      await database.transaction(async (tx) => {
        await queries.insert.run(row, tx)
        await deliver(tx, { userId, email: account.email, username, token, expiresAt })
      })
      return { account, token }
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
    async removeExpired() {
      await queries.removeExpired.run({ now: new Date().toISOString() })
    },
  }
}

// A password, role or block changed since has ended everything the account had open, this token included.
function isCurrent(row: ResetRow, account: Account): boolean {
  const isYoung = Date.parse(row.expiresAt) > Date.now()
  return isYoung && row.tokenVersion === account.tokenVersion && !account.blocked
}

/** The problem of an invalid token. */
export const invalidToken: ErrorDetail = {
  path: 'token',
  code: 'invalid',
  message: 'is not valid, was used already or is older than an hour',
}

function resetQueries(database: Database) {
  const resets = passwordResetsTable.on(database)
  const { expiresAt } = passwordResetsTable.columns
  return {
    find: resets.find(['tokenHash']),
    insert: resets.insert(),
    remove: resets.delete(['tokenHash']),
    removeOfUser: resets.delete(['userId']),
    removeExpired: resets.delete((value) => sql`${expiresAt} < ${value(expiresAt, 'now')}`),
  }
}
