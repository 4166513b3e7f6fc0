import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  bulkWritesService,
  contentWriteMiddleware,
  entryCreated,
  entryPublished,
  entryUpdated,
} from '../../core-plugins/entries/content/content.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import type { Principal } from '../../core-plugins/foundation/http/http.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { definePlugin } from '../../kernel/index.ts'
import { newAdmin } from '../api/auth-callers.ts'
import {
  type ContentWorld,
  create,
  type Entry,
  list,
  pathOf,
  problemsIn,
  read,
  startContent,
  withScopes,
} from '../api/content-world.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'

const principal: Principal = { kind: 'token', id: 1, name: 'test', scopes: new Set(['admin:*']) }

eachDatabase(({ name }) => {
  let world: ContentWorld
  const heard: string[] = []
  const watcher = definePlugin({
    name: 'watcher',
    description: 'Hears of entries',
    register({ contribute, on }) {
      contribute(contentWriteMiddleware, {
        name: 'the shy stay drafts',
        matches: ({ type, operation }) => type.name === 'person' && operation === 'publish',
        run: async ({ before }, next) => (before?.name === 'Shy' ? before : next()),
      })
      on(entryCreated, ({ entry }) => heard.push(`create ${entry.id}`))
      on(entryUpdated, ({ entry }) => heard.push(`update ${entry.id}`))
      on(entryPublished, ({ entry }) => heard.push(`publish ${entry.id}`))
    },
  })

  before(async () => {
    world = await startContent(name, [watcher])
  })
  after(() => world.stop())

  const save = (type: string, entries: unknown, query = '', client = world.admin) =>
    client.post(`${pathOf(type, 'bulk-create')}${query}`, entries as object)
  const saved = async (type: string, entries: unknown, query = '', status = 201) => {
    const { status: given, body } = await save(type, entries, query)
    assert.equal(given, status, JSON.stringify(body))
    return body.data as { count: number; ids: number[]; created: number; updated: number; unchanged: number }
  }
  const revisionsOf = async (type: string, id: number) => {
    const { body } = await world.admin.get(pathOf(type, `${id}/revisions`))
    return body.data.map(({ action }: { action: string }) => action)
  }
  const countOf = async (type: string) =>
    (await world.admin.get(`${pathOf(type)}?limit=1`)).body.pagination.total
  const alike = ({ id: _id, created_at: _created, updated_at: _updated, ...rest }: Entry) => rest
  const many = <Item>(count: number, of: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => of(index))

  describe('entries that are created together', () => {
    it('are what each would be by itself, in the order given', async () => {
      const tag = await create(world.admin, 'tag', { name: 'one' })
      const other = await create(world.admin, 'tag', { name: 'two' })
      const owner = await create(world.admin, 'person', { name: 'Ann' })
      const sent = many(120, (index) => ({
        ...{
          title: `Sample ${index}`,
          count: index,
          price: '1.50',
          isOn: index % 2 === 0,
          day: '2026-01-31',
        },
        ...{ owner: owner.id, tags: index % 3 === 0 ? [other.id, tag.id] : [], data: { index } },
        ...{ seo: { title: 'seo' }, blocks: [{ __component: 'test.link', label: 'x', tags: [tag.id] }] },
      }))
      const { ids, count, created } = await saved('sample', sent)
      assert.deepEqual([count, created, new Set(ids).size], [120, 120, 120])
      for (const index of [0, 1, 49, 50, 119]) {
        const single = await create(world.admin, 'sample', sent[index])
        const found = await read(world.admin, 'sample', ids[index] ?? 0)
        assert.deepEqual(alike(found), alike(await read(world.admin, 'sample', single.id)), `${index}`)
      }
    })

    it('are told of, found by a search, and have revisions, changes and an audit record each', async () => {
      heard.length = 0
      const { ids } = await saved('memo', [{ title: 'cormorant one' }, { title: 'cormorant two' }])
      assert.deepEqual(
        heard,
        ids.map((id) => `create ${id}`),
      )
      const { body } = await world.admin.get('/api/search?q=cormorant&types=memo')
      assert.deepEqual(body.data.map(({ id }: Entry) => id).sort(), [...ids].sort())
      for (const id of ids) {
        assert.deepEqual(await revisionsOf('memo', id), ['create'])
        const { body: audit } = await world.admin.get(`/api/admin/audit-logs?resource=memo:${id}`)
        assert.deepEqual(
          audit.data.map(({ action }: { action: string }) => action),
          ['content.create'],
        )
      }
    })

    it('take as many statements for each fifty', async () => {
      const bulkWrites = world.service.kernel.get(bulkWritesService)
      const database = world.service.kernel.get(databaseService)
      const { table = '' } = world.service.kernel.get(schemasService).types.get('book') ?? {}
      const shelf = await create(world.admin, 'shelf', { name: 'a' })
      const similar = [await create(world.admin, 'book'), await create(world.admin, 'book')].map(
        ({ id }) => id,
      )
      const write = (count: number) => () =>
        bulkWrites.saveMany(
          { type: 'book', principal },
          many(count, (index) => ({ data: { title: `book ${index}`, shelf: shelf.id, similar } })),
        )
      for (const about of [table, 'svc_revisions', 'svc_audit_logs', 'svc_search_documents']) {
        const few = await countStatements(database, write(5), about)
        assert.ok(few > 0, about)
        assert.equal(await countStatements(database, write(20), about), few, about)
      }
    })

    it('are none where one is wrong, and all that is wrong is told', async () => {
      const before = await countOf('form')
      const entries = many(70, (index) => ({ title: `form ${index}` }))
      const sent = [
        { title: 'x' },
        ...entries,
        { title: 'fine', count: 'many', unknown: 1 },
        7,
        { title: 'fine' },
      ]
      assert.deepEqual(problemsIn(await save('form', sent)), [
        '0.title minLength',
        '71.unknown unknown',
        '71.count type',
        '72 type',
      ])
      assert.equal(await countOf('form'), before)
    })

    it('are none where the database refuses one, which is named', async () => {
      await create(world.admin, 'tag', { name: 'taken' })
      const before = await countOf('tag')
      const tags = [...many(60, (index) => ({ name: `fresh ${index}` })), { name: 'taken' }]
      assert.deepEqual(problemsIn(await save('tag', tags), 409, 'CONFLICT'), ['60.name unique'])
      assert.deepEqual(problemsIn(await save('tag', [{ name: 'a' }, { name: 'a' }]), 409, 'CONFLICT'), [
        '1.name unique',
      ])
      assert.equal(await countOf('tag'), before)
      const books = [{ title: 'a' }, { title: 'b', shelf: 99_999_999 }, { title: 'c' }]
      assert.deepEqual(problemsIn(await save('book', books)), ['1.shelf reference'])
      const linked = [{ title: 'a' }, { title: 'b', similar: [99_999_999] }, { title: 'c' }]
      assert.deepEqual(problemsIn(await save('book', linked)), ['1.similar.0 reference'])
      const last = [{ title: 'a' }, { title: 'c' }, { title: 'b', similar: [99_999_999] }]
      assert.deepEqual(problemsIn(await save('book', last)), ['2.similar.0 reference'])
    })

    it('are public at once where that is asked for', async () => {
      heard.length = 0
      const { ids } = await saved('person', [{ name: 'Pat' }, { name: 'Quinn' }], '?publish=true')
      const people = await list(world.admin, 'person', '?published=true&filters[name][$in]=Pat,Quinn')
      assert.deepEqual(
        people.map(({ id }) => id),
        ids,
      )
      assert.deepEqual(
        heard.filter((each) => each.startsWith('publish')),
        ids.map((id) => `publish ${id}`),
      )
      for (const id of ids) assert.deepEqual(await revisionsOf('person', id), ['publish', 'create'])
      assert.deepEqual(problemsIn(await save('tag', [{ name: 'none' }], '?publish=true')), [
        'type unsupported',
      ])
    })
  })

  describe('entries that a plugin does not let become public', () => {
    it('stay the drafts that they are', async () => {
      heard.length = 0
      const { ids } = await saved('person', [{ name: 'Shy' }, { name: 'Bold' }], '?publish=true')
      const [shy = 0, bold = 0] = ids
      assert.equal((await read(world.admin, 'person', shy)).published_at, null)
      assert.notEqual((await read(world.admin, 'person', bold)).published_at, null)
      const publicOnes = await list(world.admin, 'person', `?published=true&filters[id][$in]=${ids}`)
      assert.deepEqual(publicOnes, [await read(world.admin, 'person', bold)])
      assert.deepEqual(
        heard.filter((each) => each.startsWith('publish')),
        [`publish ${bold}`],
      )
      assert.deepEqual(await revisionsOf('person', shy), ['create'])
    })
  })

  describe('entries with a unique value that is there', () => {
    it('are changed, and left alone where nothing differs', async () => {
      const first = await saved(
        'sample',
        [
          { code: 'a', title: 'A', data: { x: [1] }, links: [{ label: 'l' }], price: '2.50' },
          { code: 'b', title: 'B' },
        ],
        '?match=code',
      )
      assert.deepEqual([first.created, first.updated, first.unchanged], [2, 0, 0])
      heard.length = 0
      const again = [
        { code: 'a', title: 'A', data: { x: [1] }, links: [{ label: 'l' }], price: 2.5 },
        { code: 'b', title: 'Bee' },
        { code: 'c', title: 'C' },
      ]
      const second = await saved('sample', again, '?match=code')
      assert.deepEqual([second.created, second.updated, second.unchanged], [1, 1, 1])
      assert.deepEqual(second.ids.slice(0, 2), first.ids)
      assert.deepEqual(heard.sort(), [`create ${second.ids[2]}`, `update ${first.ids[1]}`])
      assert.equal((await read(world.admin, 'sample', first.ids[1] ?? 0)).title, 'Bee')
      assert.deepEqual(await revisionsOf('sample', first.ids[0] ?? 0), ['create'])
      assert.deepEqual(await revisionsOf('sample', first.ids[1] ?? 0), ['update', 'create'])
      heard.length = 0
      const third = await saved('sample', again, '?match=code', 200)
      assert.deepEqual([third.created, third.updated, third.unchanged, heard], [0, 0, 3, []])
    })

    it('say who they are once, by an attribute that is unique', async () => {
      const rows = [{ code: 'same', title: 'x' }, { title: 'y' }, { code: 'same' }, { code: 5 }]
      assert.deepEqual(problemsIn(await save('sample', rows, '?match=code')), [
        '1.code required',
        '2.code duplicate',
        '3.code type',
      ])
      for (const match of ['title', 'nothing', 'owner', '__proto__', '']) {
        assert.deepEqual(
          problemsIn(await save('sample', [{ code: 'z' }], `?match=${match}`)),
          ['match unique'],
          match,
        )
      }
    })

    it('are taken where the entry is in the trash', async () => {
      const { ids } = await saved('memo', [{ title: 'old', slug: 'gone' }])
      await world.admin.delete(pathOf('memo', ids[0] ?? 0))
      const answer = await save('memo', [{ title: 'new', slug: 'gone' }], '?match=slug')
      assert.deepEqual(problemsIn(answer, 409, 'CONFLICT'), ['0.slug unique'])
      assert.match(answer.body.error.message, /in the trash/)
    })
  })

  it('takes the rights of each write that it may lead to', async () => {
    const writer = await withScopes(world, 'content:write')
    assert.equal((await save('person', [{ name: 'Ida' }], '', writer)).status, 201)
    assert.equal((await save('person', [{ name: 'Ida' }], '?publish=true', writer)).status, 403)
    const role = {
      name: `creator-${name}`,
      type: 'custom',
      permissions: { content: { '*': { read: true, create: true } }, media: {} },
    }
    assert.equal((await world.admin.post('/api/admin/roles', role)).status, 201)
    const { client: creator } = await newAdmin(world.service, role.name)
    assert.equal((await save('sample', [{ code: 'r1' }], '', creator)).status, 201)
    assert.equal((await save('sample', [{ code: 'r1', title: 'mine' }], '?match=code', creator)).status, 403)
    const reader = await withScopes(world, 'content:read')
    assert.equal((await save('sample', [{ code: 'r2' }], '', reader)).status, 403)
    assert.equal((await save('sample', [{ code: 'r2' }], '', world.anonymous)).status, 401)
  })

  it('refuses what is no list of entries', async () => {
    for (const body of [{}, [], many(1_001, () => ({ name: 'x' })), [[]], [null]]) {
      assert.equal((await save('tag', body)).status, 400, JSON.stringify(body).slice(0, 40))
    }
    assert.deepEqual(problemsIn(await save('home', [{ headline: 'x' }])), ['type unsupported'])
    assert.equal((await save('nothing', [{}])).status, 404)
  })
})
