import { sql } from 'drizzle-orm'
import { type Columns, type Database, insertInto, query, selectList } from '../database/database.ts'
import type { AccessState } from './access-state.ts'
import type { SessionClaims } from './session-tokens.ts'
import { againIfTaken } from './taken.ts'

/** JWTs that end before they expire. */
export interface RevokedTokens {
  /** Ends a token at once. */
  revoke(claims: SessionClaims): Promise<void>
  /** Ends a token in `graceMs`, for requests that are under way with it; never later than said before. */
  revokeSoon(claims: SessionClaims, graceMs: number): Promise<void>
  /** From when on the token does not count (epoch milliseconds); undefined if it lasts until it expires. */
  revokedFromMs(jti: string): Promise<number | undefined>
  /** Deletes rows of tokens that have expired since. */
  sweep(): Promise<void>
}

const columns = {
  jti: { column: 'jti', kind: 'string' },
  revokedFrom: { column: 'revoked_from', kind: 'datetime' },
  expiresAt: { column: 'expires_at', kind: 'datetime' },
} as const satisfies Columns

/** Makes the store over `svc_revoked_tokens`. */
export function createRevokedTokens(database: Database, state: AccessState): RevokedTokens {
  const queries = revokedQueries(database)

  /** Whoever comes second at the same moment finds the row of the first one on another try. */
  const revokeFrom = (claims: SessionClaims, fromMs: number) =>
    againIfTaken(() =>
      state.change('sessions', async (tx) => {
        const row = rowOf(claims, fromMs)
        const known = await queries.find.get({ jti: claims.jti }, tx)
        if (known === undefined) await queries.insert.run(row, tx)
        else if (known.revokedFrom > row.revokedFrom) await queries.bringForward.run(row, tx)
      }),
    )

  return {
    revoke: (claims) => revokeFrom(claims, Date.now()),
    revokeSoon: (claims, graceMs) => revokeFrom(claims, Date.now() + graceMs),
    async revokedFromMs(jti) {
      const row = await queries.find.get({ jti })
      return row === undefined ? undefined : Date.parse(row.revokedFrom)
    },
    async sweep() {
      await queries.removeExpired.run({ now: new Date().toISOString() })
    },
  }
}

function rowOf(claims: SessionClaims, fromMs: number) {
  return {
    jti: claims.jti,
    revokedFrom: new Date(fromMs).toISOString(),
    expiresAt: new Date(claims.exp * 1000).toISOString(),
  }
}

function revokedQueries(database: Database) {
  const table = sql`svc_revoked_tokens`
  return {
    find: query<{ revokedFrom: string }>(
      database,
      (value) =>
        sql`select ${selectList(database, columns)} from ${table} where jti = ${value('jti', 'string')}`,
      columns,
    ),
    insert: query(database, (value) => insertInto('svc_revoked_tokens', columns, value)),
    bringForward: query(
      database,
      (value) => sql`update ${table} set revoked_from = ${value('revokedFrom', 'datetime')}
        where jti = ${value('jti', 'string')} and revoked_from > ${value('revokedFrom', 'datetime')}`,
    ),
    removeExpired: query(
      database,
      (value) => sql`delete from ${table} where expires_at < ${value('now', 'datetime')}`,
    ),
  }
}
