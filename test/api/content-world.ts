import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { sql } from 'drizzle-orm'
import { type DialectName, databaseService } from '../../core-plugins/foundation/database/database.ts'
import type { Plugin } from '../../kernel/index.ts'
import { type Answer, type Client, createClient } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { schemaFiles } from './content-schemas.ts'

/** An entry as the API answers it. */
export type Entry = Record<string, unknown> & { id: number }

/** A service with the content types of the tests, and callers of every kind. */
export interface ContentWorld {
  readonly service: TestService
  /** The first super-admin. */
  readonly admin: Client
  readonly anonymous: Client
  stop(): Promise<void>
}

export async function startContent(
  database: DialectName,
  plugins: readonly Plugin[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<ContentWorld> {
  // Statements are counted, and rows written by hand: reads are to reach the database.
  const env = { SVC_PLUGINS_DISABLED: 'cache', ...more }
  const service = await startService({ database, schemas: schemaFiles, plugins, env })
  return { service, admin: service.admin, anonymous: service, stop: () => service.stop() }
}

/** One service for all tests of the present `describe` block; to be used inside of tests only. */
export function useContent(
  database: DialectName,
  plugins: readonly Plugin[] = [],
  env: Readonly<Record<string, string>> = {},
): ContentWorld {
  const world = {} as { -readonly [Key in keyof ContentWorld]: ContentWorld[Key] }
  before(async () => {
    Object.assign(world, await startContent(database, plugins, env))
  })
  after(async () => {
    await world.stop?.()
  })
  return world
}

export const pathOf = (type: string, rest: string | number = '') =>
  `/api/content/${type}${rest === '' ? '' : `/${rest}`}`

/** Creates an entry. */
export async function create(client: Client, type: string, data: object = {}): Promise<Entry> {
  const answer = await client.post(pathOf(type), data)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
}

/** Creates entries one after the other, so that their ids have the order of the list. */
export async function createAll(client: Client, type: string, list: readonly object[]): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const data of list) entries.push(await create(client, type, data))
  return entries
}

export async function read(client: Client, type: string, id: number, query = ''): Promise<Entry> {
  return dataOf(await client.get(`${pathOf(type, id)}${query}`))
}

export async function update(client: Client, type: string, id: number, data: object): Promise<Entry> {
  return dataOf(await client.put(pathOf(type, id), data))
}

/** The entries of a list; `query` begins with `?`. */
export async function list(client: Client, type: string, query = ''): Promise<Entry[]> {
  return dataOf(await client.get(`${pathOf(type)}${query}`)) as unknown as Entry[]
}

export async function listIds(client: Client, type: string, query = ''): Promise<number[]> {
  return (await list(client, type, query)).map(({ id }) => id)
}

/** The data of an answer that must be 200. */
export function dataOf({ status, body }: Answer): Entry {
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.success, true)
  return body.data
}

/** What must be an entry, such as a populated relation. */
export function entryIn(value: unknown): Entry {
  assert.ok(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `no entry: ${JSON.stringify(value)}`,
  )
  return value as Entry
}

/** What must be several. */
export function entriesIn(value: unknown): Entry[] {
  assert.ok(Array.isArray(value), `no entries: ${JSON.stringify(value)}`)
  return value.map(entryIn)
}

/** Refused with this status and code; answers the problems as `path code`. */
export function problemsIn(
  { status, body }: Answer,
  expectedStatus = 400,
  code = 'VALIDATION_ERROR',
): string[] {
  assert.equal(status, expectedStatus, JSON.stringify(body))
  assert.equal(body.success, false)
  assert.equal(body.error.code, code)
  return (body.error.details ?? []).map(
    (detail: { path: string; code: string }) => `${detail.path} ${detail.code}`,
  )
}

/** A machine client. */
export async function withScopes(
  { admin, service }: Pick<ContentWorld, 'admin' | 'service'>,
  ...scopes: string[]
): Promise<Client> {
  const answer = await admin.post('/api/admin/api-tokens', { name: scopes.join(' '), scopes })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return createClient(service.url, answer.body.data.token)
}

/** A content user with the role `authenticated`. */
export async function signUp({ service }: ContentWorld, username: string): Promise<Client> {
  const password = `${username} likes long passwords`
  const email = `${username}@example.com`
  const registered = await service.post('/api/auth/register', { email, username, password })
  assert.equal(registered.status, 201, JSON.stringify(registered.body))
  const { token } = dataOf(await service.post('/api/auth/login', { identifier: email, password }))
  return createClient(service.url, token as string)
}

/** Gives a built-in role permissions on content, in place of those that it has. */
export async function allow({ admin }: ContentWorld, role: string, content: object): Promise<void> {
  const roles = dataOf(await admin.get('/api/admin/roles')) as unknown as { id: number; name: string }[]
  const id = roles.find(({ name }) => name === role)?.id
  dataOf(await admin.put(`/api/admin/roles/${id}`, { permissions: { content } }))
}

/** Media records, which no route of content makes. */
export async function addMedia({ service }: ContentWorld, names: readonly string[]): Promise<number[]> {
  const database = service.kernel.get(databaseService)
  const { dialect } = database
  const columns = ['filename', 'original_name', 'mime_type', 'size', 'url', 'created_at', 'updated_at']
  const kinds = ['string', 'string', 'string', 'integer', 'string', 'datetime', 'datetime'] as const
  const list = (parts: Parameters<typeof sql.join>[0]) => sql.join([...parts], sql`, `)
  const statement = database.prepare(
    sql`insert into svc_media (${list(columns.map((column) => sql.identifier(column)))}) values (${list(
      columns.map((column, index) => dialect.placeholder(column, kinds[index] ?? 'string')),
    )})`,
  )
  const ids: number[] = []
  for (const name of names) {
    const now = '2026-01-31T08:00:00.000Z'
    const values = [name, name, 'image/png', 5, `/api/uploads/${name}`, now, now]
    const bound = columns.map((column, index) => [
      column,
      dialect.bind(values[index], kinds[index] ?? 'string'),
    ])
    ids.push(
      (await database.transaction(async (tx) => tx.run(statement, Object.fromEntries(bound)))).insertId,
    )
  }
  return ids
}

/** What is of the moment of the write, and hence different each time, replaced. */
export function withoutTimes<T>(value: T): T {
  const text = JSON.stringify(value, (key, member) =>
    ['created_at', 'updated_at', 'deleted_at'].includes(key) && typeof member === 'string'
      ? 'a time'
      : member,
  )
  return JSON.parse(text)
}
