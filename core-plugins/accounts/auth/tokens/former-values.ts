import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { type ApiToken, type FormerValue, formerValuesTable } from '../tables.ts'

/** The former values of rotated tokens, as long as they are valid. */
export interface FormerValues {
  /** The former values of all tokens by token id, sorted by expiry. */
  byToken(): Promise<ReadonlyMap<number, readonly FormerValue[]>>
  find(tokenHash: string): Promise<FormerValue | undefined>
  /**
   * Keeps the present value of a token valid for some time, but not beyond its expiry.
   * @throws AppError 409 if too many former values are still valid
   * @returns the former values that are still valid
   */
  keep(token: ApiToken, until: string, tx: Transaction): Promise<readonly FormerValue[]>
  /** Invalidates all former values of a token. */
  end(tokenId: number, tx: Transaction): Promise<void>
  /** Records that the value is in use. */
  recordUse(tokenHash: string): Promise<void>
  /** Deletes expired former values. */
  removeExpired(): Promise<void>
}

/** A small number, since each is a secret that still grants access. */
const maxKept = 5

/** Creates the store over `svc_api_token_former_values`. */
export function createFormerValues(database: Database): FormerValues {
  const queries = formerQueries(database)
  const now = () => new Date().toISOString()
  return {
    async byToken() {
      const byToken = new Map<number, FormerValue[]>()
      for (const value of await queries.all.all({ now: now() })) {
        byToken.set(value.tokenId, [...(byToken.get(value.tokenId) ?? []), value])
      }
      return byToken
    },
    find: (tokenHash) => queries.find.get({ tokenHash }),
    async keep({ id: tokenId, tokenHash, madeBy, expiresAt, lastUsedAt }, until, tx) {
      const kept = await queries.ofToken.all({ tokenId, now: now() }, tx)
      if (kept.length >= maxKept) throw tooMany()
      const validUntil = expiresAt !== null && expiresAt < until ? expiresAt : until
      if (validUntil <= now()) return kept
      const value = { tokenHash, tokenId, madeBy, validUntil, lastUsedAt }
      await queries.insert.run(value, tx)
      return [...kept, value].sort((left, right) => left.validUntil.localeCompare(right.validUntil))
    },
    async end(tokenId, tx) {
      await queries.removeOfToken.run({ tokenId }, tx)
    },
    async recordUse(tokenHash) {
      await queries.recordUse.run({ tokenHash, lastUsedAt: now() })
    },
    async removeExpired() {
      await queries.removeExpired.run({ now: now() })
    },
  }
}

function tooMany(): AppError {
  return new AppError(
    'CONFLICT',
    `${maxKept} former values of the token still work; wait until one has ended, or regenerate the token, which ends all`,
  )
}

function formerQueries(database: Database) {
  const values = formerValuesTable.on(database)
  const { tokenId, validUntil } = formerValuesTable.columns
  const orderBy = sql`${validUntil}`
  return {
    all: values.find((value) => sql`${validUntil} > ${value(validUntil, 'now')}`, { orderBy }),
    ofToken: values.find(
      (value) => sql`${tokenId} = ${value(tokenId)} and ${validUntil} > ${value(validUntil, 'now')}`,
      { orderBy },
    ),
    find: values.find(['tokenHash']),
    insert: values.insert(),
    removeOfToken: values.delete(['tokenId']),
    recordUse: values.update(['lastUsedAt'], ['tokenHash']),
    removeExpired: values.delete((value) => sql`${validUntil} < ${value(validUntil, 'now')}`),
  }
}
