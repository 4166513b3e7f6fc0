import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import type { Account } from '../accounts/accounts.ts'
import { type AdminSession, adminSessionsTable } from '../tables.ts'

/** The data of a session when it begins. */
export interface SessionStart {
  readonly jti: string
  /** ISO 8601. */
  readonly expiresAt: string
  readonly userAgent: string
  /** The client's address. */
  readonly address: string
}

/** The sessions of admin users, as shown to their owners. */
export interface AdminSessions {
  /** Records a new session. With `continues`, records that the session with that `jti` has a new token. */
  begin(account: Account, start: SessionStart, continues?: string): Promise<void>
  /** Open sessions, the most recently used first. */
  list(
    account: Account,
    range: { readonly limit: number; readonly offset: number },
  ): Promise<{ sessions: AdminSession[]; total: number }>
  find(account: Account, id: number): Promise<AdminSession | undefined>
  /** The session of a token. */
  findByToken(jti: string): Promise<AdminSession | undefined>
  /** Records that the session is in use. */
  recordUse(jti: string, address: string): Promise<void>
  /** Removes a session that has ended. */
  remove(jti: string, tx?: Transaction): Promise<void>
  /** Deletes the rows of sessions that have since expired. */
  removeExpired(): Promise<void>
}

const maxUserAgent = 255
const maxAddress = 64

/** Creates the store over `svc_admin_sessions`. */
export function createAdminSessions(database: Database): AdminSessions {
  const queries = sessionQueries(database)
  const ofNow = ({ id: userId, tokenVersion }: Account) => ({
    userId,
    tokenVersion,
    now: new Date().toISOString(),
  })
  return {
    async begin({ id: userId, tokenVersion }, { jti, expiresAt, ...client }, continues) {
      const now = new Date().toISOString()
      const userAgent = client.userAgent.slice(0, maxUserAgent)
      const address = client.address.slice(0, maxAddress)
      const seen = { jti, tokenVersion, userAgent, address, expiresAt, lastSeenAt: now }
      if (continues !== undefined && (await queries.goOn.run({ ...seen, before: continues })).changes > 0)
        return
      await queries.insert.run({ ...seen, userId, createdAt: now })
    },
    async list(account, range) {
      const { rows, total } = await queries.page({ ...ofNow(account), ...range })
      return { sessions: rows, total }
    },
    find: (account, id) => queries.find.get({ ...ofNow(account), id }),
    findByToken: (jti) => queries.findByToken.get({ jti }),
    async recordUse(jti, address) {
      const lastSeenAt = new Date().toISOString()
      await queries.recordUse.run({ jti, address: address.slice(0, maxAddress), lastSeenAt })
    },
    async remove(jti, tx) {
      await queries.remove.run({ jti }, tx)
    },
    async removeExpired() {
      await queries.removeExpired.run({ now: new Date().toISOString() })
    },
  }
}

function sessionQueries(database: Database) {
  const sessions = adminSessionsTable.on(database)
  const { id, jti, userId, tokenVersion, userAgent, address, lastSeenAt, expiresAt } =
    adminSessionsTable.columns
  return {
    insert: sessions.insert(),
    goOn: sessions.update(
      (value) => sql`${jti} = ${value(jti)}, ${tokenVersion} = ${value(tokenVersion)},
        ${userAgent} = ${value(userAgent)}, ${address} = ${value(address)},
        ${lastSeenAt} = ${value(lastSeenAt)}, ${expiresAt} = ${value(expiresAt)}`,
      (value) => sql`${jti} = ${value(jti, 'before')}`,
    ),
    page: sessions.page(
      (value) => sql`${userId} = ${value(userId)} and ${tokenVersion} = ${value(tokenVersion)}
        and ${expiresAt} > ${value(expiresAt, 'now')}`,
      { orderBy: sql`${lastSeenAt} desc, ${id} desc` },
    ),
    find: sessions.find(
      (value) => sql`${id} = ${value(id)} and ${userId} = ${value(userId)}
        and ${tokenVersion} = ${value(tokenVersion)} and ${expiresAt} > ${value(expiresAt, 'now')}`,
    ),
    findByToken: sessions.find(['jti']),
    recordUse: sessions.update(['lastSeenAt', 'address'], ['jti']),
    remove: sessions.delete(['jti']),
    removeExpired: sessions.delete((value) => sql`${expiresAt} < ${value(expiresAt, 'now')}`),
  }
}
