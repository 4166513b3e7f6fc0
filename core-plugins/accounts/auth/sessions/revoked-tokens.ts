import { sql } from 'drizzle-orm'
import type { Database } from '../../../foundation/database/database.ts'
import { againIfTaken } from '../accounts/taken.ts'
import type { AccessState } from '../roles/access-state.ts'
import { revokedTokensTable } from '../tables.ts'
import { type SessionClaims, sessionEnd } from './session-tokens.ts'

/** The claims needed to revoke a token. */
export type EndingToken = Pick<SessionClaims, 'jti' | 'exp' | 'until'>

/** JWTs revoked before they expire. */
export interface RevokedTokens {
  /** Revokes a token at once. */
  revoke(claims: EndingToken): Promise<void>
  /**
   * Revokes a token in `graceMs`, for requests still under way with it; never later than an earlier
   * revocation.
   */
  revokeSoon(claims: EndingToken, graceMs: number): Promise<void>
  /**
   * The time from which the token is invalid (epoch milliseconds); undefined if it lasts until it expires.
   */
  revokedFromMs(jti: string): Promise<number | undefined>
  /** Deletes the rows of tokens that have since expired. */
  removeExpired(): Promise<void>
}

/** Creates the store over `svc_revoked_tokens`. */
export function createRevokedTokens(database: Database, state: AccessState): RevokedTokens {
  const queries = revokedQueries(database)

  /** When two insert at the same moment, the second finds the first one's row on a retry. */
  const revokeFrom = (claims: EndingToken, fromMs: number) =>
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
    async removeExpired() {
      await queries.removeExpired.run({ now: new Date().toISOString() })
    },
  }
}

function rowOf(claims: EndingToken, fromMs: number) {
  return {
    jti: claims.jti,
    revokedFrom: new Date(fromMs).toISOString(),
    // Not the expiry of this token: a short-lived token shares its `jti` with the cookie of its session.
    expiresAt: new Date(sessionEnd(claims) * 1000).toISOString(),
  }
}

function revokedQueries(database: Database) {
  const tokens = revokedTokensTable.on(database)
  const { jti, revokedFrom, expiresAt } = revokedTokensTable.columns
  return {
    find: tokens.find(['jti']),
    insert: tokens.insert(),
    bringForward: tokens.update(
      ['revokedFrom'],
      (value) => sql`${jti} = ${value(jti)} and ${revokedFrom} > ${value(revokedFrom)}`,
    ),
    removeExpired: tokens.delete((value) => sql`${expiresAt} < ${value(expiresAt, 'now')}`),
  }
}
