import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { entryIndex } from '../../core-plugins/editing/usages/index-entries.ts'
import { createUsagePlaces } from '../../core-plugins/editing/usages/usage-places.ts'
import { createUsageStore } from '../../core-plugins/editing/usages/usage-store.ts'
import { storedEntriesService } from '../../core-plugins/entries/content/content.ts'
import { createUsageIndex } from '../../core-plugins/entries/usage-index/usage-index.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const relation = (target: string, more: object = {}) => ({
  type: 'relation',
  relation: 'manyToOne',
  target,
  ...more,
})
const typeFile = (name: string, attributes: object, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' }, ...attributes },
  },
})
const schemas = {
  'components/page.block.json': {
    uid: 'page.block',
    category: 'page',
    info: { displayName: 'Block' },
    attributes: { person: relation('person'), inner: { type: 'component', component: 'page.inner' } },
  },
  'components/page.inner.json': {
    uid: 'page.inner',
    category: 'page',
    info: { displayName: 'Inner' },
    attributes: { people: { type: 'relation', relation: 'manyToMany', target: 'person' } },
  },
  ...typeFile('person', {}),
  ...typeFile(
    'page',
    {
      author: relation('person'),
      readers: { type: 'relation', relation: 'manyToMany', target: 'person' },
      blocks: { type: 'component', component: 'page.block', repeatable: true },
      zone: { type: 'dynamicZone', components: ['page.block'] },
    },
    { draftAndPublish: true, draftOverlay: true, softDelete: true },
  ),
  ...typeFile('badge', { owner: relation('person', { onDelete: 'CASCADE' }) }),
  ...typeFile('sticker', { badge: relation('badge', { onDelete: 'CASCADE' }) }),
  ...typeFile('lock', { badge: relation('badge', { onDelete: 'RESTRICT' }) }),
}

interface Usage {
  readonly type: string
  readonly field: string
  readonly isDraft: boolean
  readonly effect: string
  readonly count: number
  readonly hasMore: boolean
  readonly entries: { id: number; title: string | null; isInTrash: boolean }[]
}

eachDatabase(({ name }) => {
  let service: TestService
  let editor: Caller

  const path = (type: string, rest = '') => `/api/content/${type}${rest}`
  const create = async (type: string, data: object): Promise<number> =>
    expectStatus(await service.admin.post(path(type), data), 201).body.data.id
  const usage = async (type: string, id: number, client: Client = service.admin, query = '') => {
    const answer = expectStatus(await client.get(path(type, `/${id}/usage${query}`)), 200)
    return answer.body.data as { usages: Usage[]; deletion: Record<string, unknown> }
  }
  const places = async (id: number, client?: Client) =>
    (await usage('person', id, client)).usages.map(
      ({ type, field, isDraft, effect, entries }) =>
        `${type}.${field}${isDraft ? ' draft' : ''} ${effect} ${entries.map(({ title }) => title).join('+')}`,
    )

  before(async () => {
    service = await startService({ database: name, schemas })
    editor = await newAdmin(service, 'editor')
  })
  after(() => service.stop())

  describe('the usage of an entry', () => {
    it('names relations, components, zones and drafts, each with what a deletion would do', async () => {
      const person = await create('person', { title: 'Ann' })
      const other = await create('person', { title: 'Bob' })
      assert.deepEqual(await usage('person', person), {
        usages: [],
        deletion: { toTrash: false, isRefused: false, deletes: [], isComplete: true },
      })
      await create('page', { title: 'a', author: person, readers: [other, person] })
      await create('page', { title: 'b', author: person })
      const blocks = [{ person, inner: { people: [other, person] } }, { person }]
      const page = await create('page', { title: 'c', blocks, zone: [{ __component: 'page.block', person }] })
      await create('badge', { title: 'd', owner: person })
      assert.deepEqual(await places(person), [
        'badge.owner CASCADE d',
        'page.author SET NULL a+b',
        'page.readers SET NULL a',
        'page.blocks.person NONE c',
        'page.blocks.inner.people NONE c',
        'page.zone.person NONE c',
      ])
      assert.deepEqual(await places(other), ['page.readers SET NULL a', 'page.blocks.inner.people NONE c'])

      expectStatus(await service.admin.put(path('page', `/${page}/publish`)), 200)
      expectStatus(await service.admin.put(path('page', `/${page}`), { blocks: [], author: other }), 200)
      assert.deepEqual(
        (await places(other)).filter((place) => !place.includes('readers')),
        ['page.blocks.inner.people NONE c', 'page.author draft NONE c'],
      )
      expectStatus(await service.admin.put(path('page', `/${page}/publish`)), 200)
      assert.deepEqual(await places(other), ['page.author SET NULL c', 'page.readers SET NULL a'])
      assert.ok(!(await places(person)).some((place) => place.includes('blocks')))
    })

    it('follows cascades, and what refuses them', async () => {
      const person = await create('person', { title: 'Ann' })
      const badges = [await create('badge', { owner: person }), await create('badge', { owner: person })]
      for (const badge of badges) await create('sticker', { badge })
      const deletes = [
        { type: 'badge', count: 2 },
        { type: 'sticker', count: 2 },
      ]
      const foreseen = { toTrash: false, isRefused: false, deletes, isComplete: true }
      assert.deepEqual((await usage('person', person)).deletion, foreseen)
      const lock = await create('lock', { badge: badges[1] })
      assert.deepEqual((await usage('person', person)).deletion, { ...foreseen, isRefused: true })
      expectStatus(await service.admin.delete(path('person', `/${person}`)), 409)
      expectStatus(await service.admin.delete(path('lock', `/${lock}`)), 200)
      expectStatus(await service.admin.delete(path('person', `/${person}`)), 200)
      const left = await service.admin.get(path('badge', `?filters[id][$in]=${badges}`))
      assert.deepEqual(left.body.data, [])
    })

    it('is indexed anew where the index is missing', async () => {
      const person = await create('person', { title: 'Ann' })
      await create('page', { title: 'a', blocks: [{ person }] })
      const kernel = service.kernel
      const database = kernel.get(databaseService)
      await database.run(database.prepare(sql`delete from svc_entry_usages`))
      await database.run(database.prepare(sql`delete from svc_entry_usage_state`))
      assert.deepEqual(await places(person), [])
      const schemas = kernel.get(schemasService)
      const kind = entryIndex(createUsagePlaces(schemas), createUsageStore(database))
      const index = createUsageIndex(kind, {
        ...{ database, schemas, jobs: kernel.get(jobsService) },
        storedEntries: kernel.get(storedEntriesService),
      })
      await index.requestIfStale()
      await kernel.get(jobsService).drain()
      assert.deepEqual(await places(person), ['page.blocks.person NONE a'])
      await database.run(database.prepare(sql`delete from svc_entry_usages`))
      await index.requestIfStale()
      await kernel.get(jobsService).drain()
      assert.deepEqual(await places(person), [], 'nothing has changed since')
      await database.transaction(index.request)
      await kernel.get(jobsService).drain()
    })

    it('bounds what it names, and counts all', async () => {
      const person = await create('person', { title: 'Ann' })
      const titles = ['a', 'b', 'c', 'd']
      for (const title of titles) await create('page', { title, author: person })
      const [found] = (await usage('person', person, service.admin, '?limit=2')).usages
      assert.deepEqual(
        [found?.count, found?.hasMore, found?.entries.map(({ title }) => title)],
        [4, false, ['a', 'b']],
      )
      assert.deepEqual((await usage('person', person, service.admin, '?limit=0')).usages[0]?.entries, [])
      expectStatus(await service.admin.get(path('person', `/${person}/usage?limit=101`)), 400)
      expectStatus(await service.admin.get(path('person', `/${person}/usage?other=1`)), 400)
    })

    it('shows what is in the trash to administrators only', async () => {
      const person = await create('person', { title: 'Ann' })
      const page = await create('page', { title: 'a', author: person, blocks: [{ person }] })
      expectStatus(await service.admin.delete(path('page', `/${page}`)), 200)
      const [found, ...rest] = (await usage('person', person)).usages
      assert.deepEqual([found?.field, found?.entries[0]?.isInTrash, rest.length], ['author', true, 0])
      assert.deepEqual((await usage('person', person, editor.client)).usages, [])
      assert.equal((await usage('page', page)).deletion.toTrash, true)
      expectStatus(await editor.client.get(path('page', `/${page}/usage`)), 404)
      expectStatus(await service.admin.post(path('page', `/${page}/restore`)), 200)
      assert.equal((await usage('person', person)).usages.length, 2)
    })
  })

  describe('callers', () => {
    let person = 0
    const role = async (content: object) => {
      const made = await service.admin.post('/api/admin/roles', {
        name: `role-${Math.random().toString(36).slice(2)}`,
        permissions: { content, media: {} },
      })
      return newAdmin(service, expectStatus(made, 201).body.data.name)
    }

    before(async () => {
      person = await create('person', { title: 'Ann' })
      const badge = await create('badge', { owner: person })
      await create('lock', { badge })
      await create('page', { title: 'draft', author: person, blocks: [{ person }] })
    })

    it('learn nothing of types that they may not read', async () => {
      const reader = await role({ person: { read: true } })
      assert.deepEqual(await usage('person', person, reader.client), {
        usages: [],
        deletion: { toTrash: false, isRefused: false, deletes: [], isComplete: true },
      })
      const ofBadges = await role({ person: { read: true }, badge: { read: true } })
      assert.deepEqual((await usage('person', person, ofBadges.client)).deletion, {
        toTrash: false,
        isRefused: false,
        deletes: [{ type: 'badge', count: 1 }],
        isComplete: true,
      })
      const stranger = await role({ badge: { read: true } })
      expectStatus(await stranger.client.get(path('person', `/${person}/usage`)), 403)
    })

    it('must see drafts', async () => {
      const user = await newUser(service)
      const reader = await newApiToken(service, ['content:read'])
      expectStatus(await service.get(path('person', `/${person}/usage`)), 401)
      expectStatus(await user.client.get(path('person', `/${person}/usage`)), 403)
      expectStatus(await reader.client.get(path('person', `/${person}/usage`)), 403)
      const drafts = await newApiToken(service, ['content:read', 'content:write'])
      assert.equal((await usage('person', person, drafts.client)).usages.length, 3)
    })

    it('get 404 for what is not there', async () => {
      expectStatus(await service.admin.get(path('person', '/999999/usage')), 404)
      expectStatus(await service.admin.get(path('nothing', '/1/usage')), 404)
      expectStatus(await service.admin.get(path('person', '/0/usage')), 404)
    })
  })
})
