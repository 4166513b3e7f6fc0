import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { AccessState } from '../roles/access-state.ts'
import { type ApiToken, apiTokensTable, type FormerValue } from '../tables.ts'
import { createFormerValues } from './former-values.ts'

export type NewApiToken = Pick<ApiToken, 'name' | 'description' | 'scopes' | 'expiresAt' | 'madeBy'>

/** A token with its former values that are still valid. */
export interface ListedToken extends ApiToken {
  readonly formerValues: readonly FormerValue[]
}

/** A token with its value, which is shown only this once and not stored. */
export interface IssuedToken {
  readonly apiToken: ListedToken
  readonly value: string
}

/** A token as seen with one of its values: expiry, maker and last use are those of the value. */
export interface HeldToken extends ApiToken {
  /** Set if the value is a former one. */
  readonly former?: {
    /** Whether the token has had a new maker since. */
    readonly hasLostMaker: boolean
  }
}

export interface Rotation {
  /** Until when the present value remains valid; ISO 8601. */
  readonly formerUntil: string
  /** The new expiry of the token. */
  readonly expiresAt: string | null
  readonly madeBy: string | null
}

export interface ApiTokens {
  list(): Promise<ListedToken[]>
  /** Tokens that expire within a period. */
  endingBetween(after: string, until: string): Promise<ApiToken[]>
  create(token: NewApiToken): Promise<IssuedToken>
  /**
   * Gives the token a new value and a new responsible maker; all other values become invalid.
   * @throws AppError 404, or what `makerOf` throws
   */
  regenerate(id: number, makerOf: (token: ApiToken) => string | null): Promise<IssuedToken>
  /**
   * Gives the token a new value; the present one remains valid for a while.
   * @throws AppError 404, 409, or what `decide` throws
   */
  rotate(id: number, decide: (token: ApiToken) => Rotation): Promise<IssuedToken>
  /** @throws AppError 404 */
  remove(id: number): Promise<void>
  find(id: number): Promise<ApiToken | undefined>
  /** The token with this present or former value, even if it has expired. */
  findByValue(value: string): Promise<HeldToken | undefined>
  /** Records that the value by which the token was found is in use. */
  recordUse(token: HeldToken): Promise<void>
  /** Deletes expired former values. */
  removeExpired(): Promise<void>
}

const prefix = 'mor_'
const valuePattern = /^mor_[0-9A-Za-z]{43}$/
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 43 characters out of 62 hold 256 bits.
const randomLength = 43

/** True for anything that has the form of an API token. */
export function isApiToken(credential: string): boolean {
  return credential.startsWith(prefix)
}

/** Creates the store over `svc_api_tokens`. */
export function createApiTokens(database: Database, state: AccessState): ApiTokens {
  const queries = tokenQueries(database)
  const former = createFormerValues(database)

  async function change(
    id: number,
    decide: (found: ApiToken, tx: Transaction) => Promise<Replacement>,
  ): Promise<IssuedToken> {
    const value = makeValue()
    const apiToken = await state.change('sessions', async (tx) => {
      const found = await queries.lock.get({ id }, tx)
      if (found === undefined) throw AppError.notFound('API token')
      const updatedAt = new Date().toISOString()
      const fresh = { tokenHash: hashValue(value), lastUsedAt: null, updatedAt }
      const changed = { ...found, ...fresh, ...(await decide(found, tx)) }
      await queries.replaceValue.run(changed, tx)
      return changed
    })
    return { apiToken, value }
  }

  return {
    async list() {
      const [tokens, formerByToken] = await Promise.all([queries.list.all(), former.byToken()])
      return tokens.map((token) => ({ ...token, formerValues: formerByToken.get(token.id) ?? [] }))
    },
    endingBetween: (after, until) => queries.ending.all({ after, until }),
    async create(token) {
      const value = makeValue()
      const now = new Date().toISOString()
      const row = { ...token, tokenHash: hashValue(value), lastUsedAt: null, createdAt: now, updatedAt: now }
      const { insertId } = await queries.insert.run(row)
      return { apiToken: { ...row, id: insertId, formerValues: [] }, value }
    },
    regenerate: (id, makerOf) =>
      change(id, async (found, tx) => {
        const madeBy = makerOf(found)
        await former.end(id, tx)
        return { madeBy, formerValues: [] }
      }),
    rotate: (id, decide) =>
      change(id, async (found, tx) => {
        const { formerUntil, expiresAt, madeBy } = decide(found)
        return { madeBy, expiresAt, formerValues: await former.keep(found, formerUntil, tx) }
      }),
    async remove(id) {
      await state.change('sessions', async (tx) => {
        const { changes } = await queries.remove.run({ id }, tx)
        if (changes === 0) throw AppError.notFound('API token')
      })
    },
    find: (id) => queries.find.get({ id }),
    async findByValue(value) {
      if (!valuePattern.test(value)) return undefined
      const tokenHash = hashValue(value)
      const found = await queries.findByHash.get({ tokenHash })
      if (found !== undefined) return isEqual(found.tokenHash, tokenHash) ? found : undefined
      const earlier = await former.find(tokenHash)
      if (earlier === undefined || !isEqual(earlier.tokenHash, tokenHash)) return undefined
      const token = await queries.find.get({ id: earlier.tokenId })
      return token && heldBy(earlier, token)
    },
    async recordUse({ id, former: isFormer, tokenHash }) {
      if (isFormer) return former.recordUse(tokenHash)
      await queries.recordUse.run({ id, lastUsedAt: new Date().toISOString() })
    },
    removeExpired: former.removeExpired,
  }
}

/** The fields that change with the value. */
type Replacement = Pick<ListedToken, 'madeBy' | 'formerValues'> & Partial<Pick<ApiToken, 'expiresAt'>>

/** A former value keeps the maker that it had, until it expires. */
function heldBy({ tokenHash, madeBy, validUntil, lastUsedAt }: FormerValue, token: ApiToken): HeldToken {
  const own = { tokenHash, madeBy, expiresAt: validUntil, lastUsedAt }
  return { ...token, ...own, former: { hasLostMaker: madeBy !== token.madeBy } }
}

function makeValue(): string {
  const characters = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)])
  return prefix + characters.join('')
}

// The value has 256 random bits: a fast hash is enough, and a salt adds nothing.
function hashValue(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

function isEqual(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
}

function tokenQueries(database: Database) {
  const tokens = apiTokensTable.on(database)
  const { expiresAt } = apiTokensTable.columns
  return {
    list: tokens.find([], { orderBy: sql`${apiTokensTable.columns.id}` }),
    lock: tokens.find(['id'], { lock: true }),
    find: tokens.find(['id']),
    findByHash: tokens.find(['tokenHash']),
    insert: tokens.insert(),
    ending: tokens.find(
      (value) =>
        sql`${expiresAt} > ${value(expiresAt, 'after')} and ${expiresAt} <= ${value(expiresAt, 'until')}`,
      { orderBy: sql`${expiresAt}` },
    ),
    replaceValue: tokens.update(['tokenHash', 'lastUsedAt', 'madeBy', 'expiresAt', 'updatedAt'], ['id']),
    remove: tokens.delete(['id']),
    recordUse: tokens.update(['lastUsedAt'], ['id']),
  }
}
