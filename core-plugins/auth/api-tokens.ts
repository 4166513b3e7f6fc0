import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/http.ts'
import type { AccessState } from './access-state.ts'
import { type ApiToken, apiTokensTable } from './tables.ts'

export type NewApiToken = Pick<ApiToken, 'name' | 'description' | 'scopes' | 'expiresAt' | 'madeBy'>

/** A token with its value, which is shown only this once and not stored. */
export interface IssuedToken {
  readonly apiToken: ApiToken
  readonly value: string
}

export interface ApiTokens {
  list(): Promise<ApiToken[]>
  create(token: NewApiToken): Promise<IssuedToken>
  /**
   * Gives the token a new value and the maker who is answerable for it. @throws AppError 404, or what
   * `makerOf` throws
   */
  regenerate(id: number, makerOf: (token: ApiToken) => string | null): Promise<IssuedToken>
  /** @throws AppError 404 */
  remove(id: number): Promise<void>
  find(id: number): Promise<ApiToken | undefined>
  /** The token with this value, even if it has expired. */
  findByValue(value: string): Promise<ApiToken | undefined>
  /** Records that the token is in use. */
  recordUse(id: number): Promise<void>
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
  return {
    list: () => queries.list.all(),
    async create(token) {
      const value = makeValue()
      const now = new Date().toISOString()
      const row = { ...token, tokenHash: hashValue(value), lastUsedAt: null, createdAt: now, updatedAt: now }
      const { insertId } = await queries.insert.run(row)
      return { apiToken: { ...row, id: insertId }, value }
    },
    async regenerate(id, makerOf) {
      const value = makeValue()
      const apiToken = await state.change('sessions', async (tx) => {
        const found = await queries.lock.get({ id }, tx)
        if (found === undefined) throw AppError.notFound('API token')
        const madeBy = makerOf(found)
        const updatedAt = new Date().toISOString()
        const changed = { ...found, madeBy, tokenHash: hashValue(value), lastUsedAt: null, updatedAt }
        await queries.replaceValue.run(changed, tx)
        return changed
      })
      return { apiToken, value }
    },
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
      return found !== undefined && isEqual(found.tokenHash, tokenHash) ? found : undefined
    },
    async recordUse(id) {
      await queries.recordUse.run({ id, lastUsedAt: new Date().toISOString() })
    },
  }
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
  return {
    list: tokens.find([], { orderBy: sql`${apiTokensTable.columns.id}` }),
    lock: tokens.find(['id'], { lock: true }),
    find: tokens.find(['id']),
    findByHash: tokens.find(['tokenHash']),
    insert: tokens.insert(),
    replaceValue: tokens.update(['tokenHash', 'lastUsedAt', 'madeBy', 'updatedAt'], ['id']),
    remove: tokens.delete(['id']),
    recordUse: tokens.update(['lastUsedAt'], ['id']),
  }
}
