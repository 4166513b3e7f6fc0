import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import type { Answer, Client } from '../support/client.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'

const typeFile = (name: string, attributes: object, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' }, ...attributes },
  },
})

/** Pages with drafts and a trash, badges without, texts in two locales, and secrets that few may read. */
export const feedSchemas = {
  ...typeFile(
    'page',
    { badge: { type: 'relation', relation: 'manyToOne', target: 'badge', onDelete: 'SET NULL' } },
    { draftAndPublish: true, draftOverlay: true, softDelete: true },
  ),
  ...typeFile('badge', { body: { type: 'text' } }),
  ...typeFile('secret', {}),
  ...typeFile(
    'text',
    { title: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
    { draftAndPublish: true, i18n: { enabled: true } },
  ),
}

export async function startFeedService(
  database: DialectName | { readonly url: string },
  options: StartOptions = {},
): Promise<TestService> {
  const env = { SVC_LOCALIZATION_LOCALES: '["en","de"]', ...options.env }
  return startService({ ...options, database, schemas: feedSchemas, env })
}

/** Lets everybody read some types. */
export async function openToAll(service: TestService, types: readonly string[]): Promise<void> {
  const { data } = expectStatus(await service.admin.get('/api/admin/roles'), 200).body
  const { id } = data.find(({ name }: { name: string }) => name === 'public')
  const content = Object.fromEntries(types.map((type) => [type, { read: true }]))
  const permissions = { content, media: {} }
  expectStatus(await service.admin.put(`/api/admin/roles/${id}`, { permissions }), 200)
}

/** A change as clients get it. */
export interface Told {
  readonly cursor: string
  readonly type: string
  readonly id: number
  readonly locale: string | null
  readonly kind: 'changed' | 'gone'
  readonly at: string
  readonly entry?: { readonly id: number; readonly title: string }
}

export interface FeedAnswer {
  readonly data: readonly Told[]
  readonly pagination: {
    readonly nextCursor: string
    readonly hasMore: boolean
    readonly next: string
    readonly since?: string
  }
}

export const brief = ({ kind, type, id }: Told) => `${kind} ${type} ${id}`

/** Follows the feed for one caller. */
export class Follower {
  readonly #client: Client
  readonly #query: string
  cursor = ''

  constructor(client: Client, query = '') {
    this.#client = client
    this.#query = query
  }

  async begin(): Promise<this> {
    const answer = await this.#client.get(`/api/changes?${this.#query.slice(1)}`)
    this.cursor = expectStatus(answer, 200).body.pagination.nextCursor
    return this
  }

  ask(more = ''): Promise<Answer<FeedAnswer>> {
    return this.#client.get(`/api/changes?since=${this.cursor}${this.#query}${more}`)
  }

  /** What is told of each entry since the last time, in short: of several pages, the last. */
  async news(more = ''): Promise<readonly string[]> {
    const told = new Map((await this.all(more)).map((each) => [`${each.type} ${each.id}`, brief(each)]))
    return [...told.values()]
  }

  async all(more = ''): Promise<readonly Told[]> {
    const told: Told[] = []
    for (;;) {
      const { data, pagination } = expectStatus(await this.ask(more), 200).body
      told.push(...data)
      this.cursor = pagination.nextCursor
      if (!pagination.hasMore) return told
    }
  }
}

/** Entries by type and id, as a consumer keeps them that reads a snapshot and then follows. */
export class Replica {
  readonly #client: Client
  readonly #query: string
  readonly entries = new Map<string, string>()
  #next = ''

  constructor(client: Client, query: string) {
    this.#client = client
    this.#query = query
  }

  /** One page; false if that was the last for now. */
  async step(): Promise<boolean> {
    this.#next ||= `/api/changes/snapshot?include=entry&${this.#query}`
    const answer: Answer<FeedAnswer> = await this.#client.get(this.#next)
    const { data, pagination } = expectStatus(answer, 200).body
    for (const { type, id, kind, entry } of data) {
      if (kind === 'gone') this.entries.delete(`${type} ${id}`)
      else this.entries.set(`${type} ${id}`, JSON.stringify(entry))
    }
    const isSnapshot = pagination.since !== undefined
    this.#next = pagination.next
    return isSnapshot || pagination.hasMore
  }

  async catchUp(): Promise<void> {
    while (await this.step());
  }
}

/** What the lists say that somebody sees, in the form of a replica. */
export async function listed(client: Client, types: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const type of types) {
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = `sort=id&limit=100&cursor=${encodeURIComponent(cursor)}`
      const answer: Answer = expectStatus(await client.get(`/api/content/${type}?${query}`), 200)
      for (const entry of answer.body.data) found.set(`${type} ${entry.id}`, JSON.stringify(entry))
      cursor = answer.body.pagination.nextCursor
    }
  }
  return found
}
