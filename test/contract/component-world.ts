import { afterEach } from 'node:test'
import type { SchemaChange } from '../../core-plugins/foundation/database/database.ts'
import { component, type } from '../schemas/schema-directory.ts'
import { type Answer, expectStatus } from '../support/client.ts'
import type { DatabaseUnderTest, TestDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

type Attributes = Readonly<Record<string, object>>

/** What a page of one version of a project consists of. */
export interface PageVersion {
  readonly page?: Attributes
  readonly card?: Attributes
  readonly quote?: Attributes
  readonly options?: object
}

const text = { type: 'string' }

export const cardAttributes: Attributes = { title: text, note: text }

export const pageAttributes: Attributes = {
  title: { ...text, unique: true },
  hero: { type: 'component', component: 'shared.card' },
  cards: { type: 'component', component: 'shared.card', repeatable: true },
  body: { type: 'dynamicZone', components: ['shared.card', 'shared.quote'] },
}

/** The schema files of a version; what it does not name is as at first. */
export function schemasOf({ page, card, quote, options }: PageVersion) {
  return {
    'page.json': type('page', page ?? pageAttributes, { options: options ?? {} }),
    'author.json': type('author', { name: text }),
    'components/shared.card.json': component('shared.card', card ?? cardAttributes),
    'components/shared.quote.json': component('shared.quote', quote ?? { words: text, by: text }),
  }
}

/** A project whose schema changes from start to start, on one database. To be called within a `describe` block. */
export function createComponentWorld(database: DatabaseUnderTest) {
  const services: TestService[] = []
  let made: TestDatabase | undefined

  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop()
    await made?.drop()
    made = undefined
  })

  async function startBeside(version: PageVersion): Promise<TestService> {
    made ??= await database.createUrl()
    const service = await startService({ database: { url: made.url }, schemas: schemasOf(version) })
    services.push(service)
    return service
  }

  return {
    /** Beside those that run. */
    startBeside,
    /** In place of those that run. */
    async start(version: PageVersion): Promise<TestService> {
      for (const service of services.splice(0)) await service.stop()
      return startBeside(version)
    },
  }
}

export async function createPage({ admin }: TestService, data: object): Promise<number> {
  return expectStatus(await admin.post('/api/content/page', data), 201).body.data.id
}

export async function readPage(
  { admin }: TestService,
  id: number,
  query = '',
): Promise<Record<string, unknown>> {
  return expectStatus(await admin.get(`/api/content/page/${id}${query}`), 200).body.data
}

export function putPage({ admin }: TestService, id: number, data: object): Promise<Answer> {
  return admin.put(`/api/content/page/${id}`, data)
}

/** What waits inside of components, in words. */
export async function pendingIn({ admin }: TestService): Promise<string[]> {
  const { data } = expectStatus(await admin.get('/api/database/preview'), 200).body
  return data.map(
    ({ change, column, safe, reason }: SchemaChange) =>
      `${safe ? 'safe ' : ''}${change} ${column}${reason === null ? '' : `: ${reason}`}`,
  )
}

export async function decide({ admin }: TestService): Promise<void> {
  expectStatus(await admin.post('/api/database/safe-sync', { allowDestructive: true }), 200)
}
