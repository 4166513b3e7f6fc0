import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  query,
  selectList,
  type Transaction,
} from '../database/database.ts'
import { AppError, type ErrorDetail } from '../http/http.ts'
import type { Account, Accounts } from './accounts.ts'
import type { PasswordResetDelivery } from './auth.ts'

/** Tokens by which content users who forgot their password set a new one; decisions.md, 5. */
export interface PasswordResets {
  /** A token for the account that has the address, if there is one that may sign in; `deliver` has it sent. */
  issue(
    email: string,
    deliver: PasswordResetDelivery,
  ): Promise<{ readonly account: Account; readonly token: string } | undefined>
  /** The account that a token is of; undefined if the token is unknown, used or too old. */
  accountOf(token: string): Promise<Account | undefined>
  /** Uses up all tokens of the account. @throws AppError 400 if this one was used meanwhile */
  consume(token: string, account: Account, tx: Transaction): Promise<void>
  /** Deletes rows that no longer matter. */
  sweep(): Promise<void>
}

const lifetimeMs = 60 * 60_000

const columns = {
  tokenHash: { column: 'token_hash', kind: 'string' },
  userId: { column: 'user_id', kind: 'reference' },
  tokenVersion: { column: 'token_version', kind: 'integer' },
  expiresAt: { column: 'expires_at', kind: 'datetime' },
} as const satisfies Columns

interface ResetRow {
  readonly userId: number
  readonly tokenVersion: number
  readonly expiresAt: string
}

/** Makes the store over `svc_password_resets`; the hashes are keyed, so a copy of the table is of no use. */
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
    async sweep() {
      await queries.removeExpired.run({ now: new Date().toISOString() })
    },
  }
}

// A password, role or block that was changed since has ended what the account had open, this token included.
function isCurrent(row: ResetRow, account: Account): boolean {
  const isYoung = Date.parse(row.expiresAt) > Date.now()
  return isYoung && row.tokenVersion === account.tokenVersion && !account.blocked
}

/** What is wrong with a token that resets no password. */
export const invalidToken: ErrorDetail = {
  path: 'token',
  code: 'invalid',
  message: 'is not valid, was used already or is older than an hour',
}

function resetQueries(database: Database) {
  const table = sql`svc_password_resets`
  return {
    find: query<ResetRow>(
      database,
      (value) => sql`select ${selectList(database, columns)} from ${table}
        where token_hash = ${value('tokenHash', 'string')}`,
      columns,
    ),
    insert: query(database, (value) => insertInto('svc_password_resets', columns, value)),
    remove: query(
      database,
      (value) => sql`delete from ${table} where token_hash = ${value('tokenHash', 'string')}`,
    ),
    removeOfUser: query(
      database,
      (value) => sql`delete from ${table} where user_id = ${value('userId', 'reference')}`,
    ),
    removeExpired: query(
      database,
      (value) => sql`delete from ${table} where expires_at < ${value('now', 'datetime')}`,
    ),
  }
}
