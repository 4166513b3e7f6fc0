import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Columns, type Database, insertInto, query, selectList } from '../database/database.ts'
import { AppError } from '../http/http.ts'
import type { AccessState } from './access-state.ts'

export interface ApiToken {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly tokenHash: string
  readonly scopes: readonly string[]
  readonly expiresAt: string | null
  /** As `Makers` names it; null for tokens that are older than makers. */
  readonly madeBy: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type NewApiToken = Pick<ApiToken, 'name' | 'description' | 'scopes' | 'expiresAt' | 'madeBy'>

/** A token with its value, which is told this once and not stored. */
export interface IssuedToken {
  readonly apiToken: ApiToken
  readonly value: string
}

export interface ApiTokens {
  list(): Promise<ApiToken[]>
  create(token: NewApiToken): Promise<IssuedToken>
  /** Gives the token another value, and the maker that is answered for it. @throws AppError 404, or what `makerOf` throws */
  regenerate(id: number, makerOf: (token: ApiToken) => string | null): Promise<IssuedToken>
  /** @throws AppError 404 */
  remove(id: number): Promise<void>
  find(id: number): Promise<ApiToken | undefined>
  /** The token with this value, expired ones included. */
  findByValue(value: string): Promise<ApiToken | undefined>
  /** Notes that the token is in use. */
  recordUse(id: number): Promise<void>
}

const prefix = 'mor_'
const valuePattern = /^mor_[0-9A-Za-z]{43}$/
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 43 characters of 62 hold 256 bits.
const randomLength = 43

/** True for anything that is meant to be an API token. */
export function isApiToken(credential: string): boolean {
  return credential.startsWith(prefix)
}

const columns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  description: { column: 'description', kind: 'text' },
  tokenHash: { column: 'token_hash', kind: 'string' },
  scopes: { column: 'scopes', kind: 'json' },
  expiresAt: { column: 'expires_at', kind: 'datetime' },
  madeBy: { column: 'made_by', kind: 'string' },
  lastUsedAt: { column: 'last_used_at', kind: 'datetime' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
} as const satisfies Columns

/** Makes the store over `svc_api_tokens`. */
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
      await queries.recordUse.run({ id, now: new Date().toISOString() })
    },
  }
}

function makeValue(): string {
  const characters = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)])
  return prefix + characters.join('')
}

// The value has 256 random bits: a fast hash is enough, and there is nothing to salt.
function hashValue(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

function isEqual(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
}

function tokenQueries(database: Database) {
  const table = sql`svc_api_tokens`
  const select = sql`select ${selectList(database, columns)} from ${table}`
  return {
    list: query<ApiToken>(database, () => sql`${select} order by id`, columns),
    lock: query<ApiToken>(
      database,
      (value) => sql`${select} where id = ${value('id', 'id')} ${database.dialect.forUpdate}`,
      columns,
    ),
    find: query<ApiToken>(database, (value) => sql`${select} where id = ${value('id', 'id')}`, columns),
    findByHash: query<ApiToken>(
      database,
      (value) => sql`${select} where token_hash = ${value('tokenHash', 'string')}`,
      columns,
    ),
    insert: query(database, (value) => insertInto('svc_api_tokens', columns, value)),
    replaceValue: query(
      database,
      (value) => sql`update ${table} set token_hash = ${value('tokenHash', 'string')}, last_used_at = null,
        made_by = ${value('madeBy', 'string')}, updated_at = ${value('updatedAt', 'datetime')} where id = ${value('id', 'id')}`,
    ),
    remove: query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`),
    recordUse: query(
      database,
      (value) => sql`update ${table} set last_used_at = ${value('now', 'datetime')}
        where id = ${value('id', 'id')}`,
    ),
  }
}
