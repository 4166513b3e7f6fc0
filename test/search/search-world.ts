import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { expectStatus } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'

const type = (name: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}-list`, displayName: name },
  ...more,
  attributes,
})

export const schemas = {
  'story.json': type(
    'story',
    {
      title: { type: 'string' },
      lead: { type: 'text' },
      body: { type: 'richtext' },
      teller: { type: 'relation', relation: 'manyToOne', target: 'teller' },
      quote: { type: 'component', component: 'test.quote' },
      blocks: { type: 'dynamicZone', components: ['test.quote', 'test.list'] },
    },
    { options: { draftAndPublish: true } },
  ),
  'teller.json': type('teller', { name: { type: 'string' }, age: { type: 'integer' } }),
  'scrap.json': type('scrap', { text: { type: 'text' } }, { options: { softDelete: true } }),
  'number.json': type('number', { value: { type: 'integer' } }),
  'components/test.quote.json': {
    uid: 'test.quote',
    category: 'test',
    info: { displayName: 'quote' },
    attributes: { text: { type: 'text' }, by: { type: 'string' } },
  },
  'components/test.list.json': {
    uid: 'test.list',
    category: 'test',
    info: { displayName: 'list' },
    attributes: { quotes: { type: 'component', component: 'test.quote', repeatable: true } },
  },
}

export function startSearch(options: StartOptions = {}): Promise<TestService> {
  return startService({ schemas, ...options })
}

/** A hit as the API answers it. */
export interface Hit {
  readonly type: string
  readonly id: number
  readonly title: string | null
  readonly score: number
  readonly highlights: Readonly<Record<string, string>>
  readonly corrections?: Readonly<Record<string, readonly string[]>>
  readonly entry: Record<string, unknown> & { id: number }
}

export interface Found {
  readonly hits: readonly Hit[]
  readonly total: number
  readonly hasMore: boolean
}

/** Searches; `more` are other parameters. */
export async function search(client: Client, q: string, more = ''): Promise<Found> {
  const { body } = expectStatus(await client.get(`/api/search?q=${encodeURIComponent(q)}${more}`), 200)
  return { hits: body.data, total: body.pagination.total, hasMore: body.pagination.hasMore }
}

/** What is found, as `type id`, in alphabetical order; the total must be right. */
export async function found(client: Client, q: string, more = ''): Promise<string[]> {
  const { hits, total } = await search(client, q, `&limit=100${more}`)
  if (total !== hits.length) throw new Error(`${hits.length} hits of ${total}: ${q}`)
  return hits.map(({ type: name, id }) => `${name} ${id}`).sort()
}

export async function add(client: Client, name: string, data: object): Promise<number> {
  return expectStatus(await client.post(`/api/content/${name}`, data), 201).body.data.id
}

export async function finishJobs(service: TestService): Promise<void> {
  await service.kernel.get(jobsService).drain()
}
