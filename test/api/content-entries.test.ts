import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import {
  addMedia,
  create,
  dataOf,
  list,
  listIds,
  pathOf,
  problemsIn,
  read,
  update,
  useContent,
} from './content-world.ts'

const full = {
  title: 'Ærø 🎈',
  code: 'full-1',
  body: 'long\ntext',
  rich: '<p>rich</p>',
  mail: 'ada@example.com',
  count: -5,
  big: '9223372036854775807',
  price: '12345678901234567890.123456789012345678901234567891',
  isOn: true,
  day: '2026-02-28',
  seenAt: '2026-02-28T23:30:00.123Z',
  kind: 'Blue',
  data: { list: [1, 'two', null, { three: 3 }], text: 'Ω' },
}

eachDatabase((database) => {
  const world = useContent(database.name)

  describe('creating an entry', () => {
    it('answers the entry, and so does reading it', async () => {
      const entry = await create(world.admin, 'sample', full)
      const { id, created_at, updated_at, ...rest } = entry
      assert.ok(Number.isSafeInteger(id) && id > 0)
      assert.match(String(created_at), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
      assert.equal(updated_at, created_at)
      assert.deepEqual(rest, {
        ...full,
        cover: null,
        gallery: [],
        owner: null,
        tags: [],
        twin: null,
        seo: null,
        links: [],
        blocks: [],
      })
      assert.deepEqual(await read(world.admin, 'sample', id), entry)
    })

    it('keeps every digit, and gives numbers where a double is exact', async () => {
      const cases = [
        { big: 5, price: 1.5 },
        { big: '-9223372036854775808', price: '-0.000000000000000000000000000001' },
        { big: 9007199254740991, price: 0.1 },
        { big: '9007199254740993', price: '99999999999999999999999999999999999.9' },
        { big: 0, price: 0 },
      ]
      for (const values of cases) {
        const { id, big, price } = await create(world.admin, 'sample', values)
        assert.deepEqual({ big, price }, values)
        const stored = await read(world.admin, 'sample', id)
        assert.deepEqual({ big: stored.big, price: stored.price }, values)
      }
      const { id } = await create(world.admin, 'sample', { big: '5', price: '1.50' })
      const { big, price } = await read(world.admin, 'sample', id)
      assert.deepEqual({ big, price }, { big: 5, price: 1.5 })
    })

    it('keeps texts and days as they are at the edges of what can be stored', async () => {
      const values = {
        title: ' \t leading and trailing \u00a0',
        body: '🎈'.repeat(20_000),
        rich: '\u{10FFFF}\u0001\u200b',
        day: '0001-01-01',
        seenAt: '0001-01-01T00:00:00.000Z',
        data: { nested: { '': [[], {}, 1e-300, -1.5e300] } },
      }
      const { id } = await create(world.admin, 'sample', values)
      const stored = await read(world.admin, 'sample', id)
      for (const [name, value] of Object.entries(values)) assert.deepEqual(stored[name], value, name)
      const last = { day: '9999-12-31', seenAt: '9999-12-31T23:59:59.999Z' }
      const late = await read(world.admin, 'sample', (await create(world.admin, 'sample', last)).id)
      assert.deepEqual({ day: late.day, seenAt: late.seenAt }, last)
    })

    it('keeps any JSON value', async () => {
      for (const data of [
        0,
        false,
        'text',
        '',
        [],
        {},
        [null],
        { a: { b: { c: [1.5] } } },
        '"quoted"',
        'null',
      ]) {
        const { id } = await create(world.admin, 'sample', { data })
        assert.deepEqual((await read(world.admin, 'sample', id)).data, data)
      }
    })

    it('fills in defaults', async () => {
      const before = new Date().toISOString()
      const { madeAt, ...entry } = await create(world.admin, 'form', { title: 'abc' })
      assert.ok(String(madeAt) >= before.slice(0, 19) && String(madeAt) <= new Date().toISOString())
      assert.deepEqual(
        {
          kind: entry.kind,
          count: entry.count,
          settings: entry.settings,
          isOpen: entry.isOpen,
          items: entry.items,
        },
        { kind: 'text', count: 3, settings: { size: 'small' }, isOpen: true, items: null },
      )
    })

    it('is refused with all problems of the payload', async () => {
      const answer = await world.admin.post(pathOf('form'), {
        title: 'x',
        kind: 'audio',
        count: '3',
        isOpen: 1,
        items: [],
        other: true,
      })
      assert.deepEqual(problemsIn(answer).sort(), [
        'count type',
        'isOpen type',
        'items min',
        'kind enum',
        'other unknown',
        'title minLength',
      ])
      assert.deepEqual(problemsIn(await world.admin.post(pathOf('form'), {})), ['title required'])
      assert.deepEqual(await list(world.admin, 'form', '?filters[title]=x'), [])
    })

    it('waives required while a condition hides the field', async () => {
      const video = { title: 'abc', kind: 'video' }
      assert.deepEqual(problemsIn(await world.admin.post(pathOf('form'), video)), ['url required'])
      const { id } = await create(world.admin, 'form', { ...video, kind: 'text' })
      assert.deepEqual(problemsIn(await world.admin.put(pathOf('form', id), { kind: 'video' })), [
        'url required',
      ])
      const changed = await update(world.admin, 'form', id, { kind: 'video', url: 'https://example.com' })
      assert.equal(changed.url, 'https://example.com')
      assert.deepEqual(problemsIn(await world.admin.put(pathOf('form', id), { url: null })), ['url required'])
    })

    it('refuses bodies that are no JSON object', async () => {
      assert.deepEqual(
        problemsIn(await world.admin.post(pathOf('sample'), '{"title":'), 400, 'INVALID_JSON'),
        [],
      )
      for (const body of ['[]', 'null', '"text"', '5']) {
        assert.equal((await world.admin.post(pathOf('sample'), body)).status, 400, body)
      }
    })

    it('keeps unique values apart, to the last detail', async () => {
      await create(world.admin, 'sample', { code: 'Unique' })
      const answer = await world.admin.post(pathOf('sample'), { code: 'Unique' })
      problemsIn(answer, 409, 'CONFLICT')
      assert.ok(JSON.stringify(answer.body.error).includes('code'))
      for (const code of ['unique', 'Ünique', 'Unique ', 'Uniqué'])
        await create(world.admin, 'sample', { code })
      await create(world.admin, 'sample', { code: null })
      await create(world.admin, 'sample', { code: null })
    })

    it('tells which ids of the payload name nothing', async () => {
      const tag = await create(world.admin, 'tag', { name: 'only one' })
      const answer = await world.admin.post(pathOf('sample'), {
        owner: 999_999,
        tags: [tag.id, 999_998],
        cover: 999_997,
        links: [{ label: 'a', person: 999_996 }],
        blocks: [{ __component: 'test.menu', links: [{ label: 'b', tags: [999_995] }] }],
      })
      const paths = problemsIn(answer).map((problem) => problem.split(' ')[0])
      assert.ok(paths.includes('links.0.person') && paths.includes('blocks.0.links.0.tags.0'), paths.join())
      const direct = await world.admin.post(pathOf('sample'), {
        owner: 999_999,
        tags: [tag.id, 999_998],
        cover: 5e8,
      })
      assert.deepEqual(
        problemsIn(direct)
          .map((problem) => problem.split(' ')[0])
          .sort(),
        ['cover', 'owner', 'tags.1'],
      )
      assert.deepEqual(problemsIn(await world.admin.post(pathOf('sample'), { owner: 2 ** 53 - 1 })), [
        'owner reference',
      ])
    })
  })

  describe('an entry', () => {
    it('is changed in the fields that are sent, and in no others', async () => {
      const { id, updated_at: before } = await create(world.admin, 'sample', { ...full, code: 'change' })
      const changed = await update(world.admin, 'sample', id, { title: null, count: 7, data: [1] })
      assert.deepEqual(
        [changed.title, changed.count, changed.data, changed.price],
        [null, 7, [1], full.price],
      )
      assert.ok(String(changed.updated_at) > String(before))
      assert.deepEqual(await read(world.admin, 'sample', id), changed)
    })

    it('can be sent back as it was read', async () => {
      const [cover, image] = await addMedia(world, [`${database.name}-1.png`, `${database.name}-2.png`])
      const owner = await create(world.admin, 'person', { name: 'Ada' })
      const tag = await create(world.admin, 'tag', { name: 'sent back' })
      const { id } = await create(world.admin, 'sample', {
        ...full,
        code: 'sent-back',
        cover,
        gallery: [image, cover],
        owner: owner.id,
        tags: [tag.id],
        seo: { id: 's', title: 'seo', image },
        links: [{ label: 'x', person: owner.id, tags: [tag.id] }],
        blocks: [{ __component: 'test.menu', id: 7, price: '1.50', links: [] }],
      })
      const before = await read(world.admin, 'sample', id)
      assert.deepEqual(before.gallery, [image, cover])
      const after = await update(world.admin, 'sample', id, before)
      assert.deepEqual({ ...after, updated_at: '' }, { ...before, updated_at: '' })
      assert.deepEqual(await read(world.admin, 'sample', id), after)
    })

    it('is checked when it is changed', async () => {
      const { id } = await create(world.admin, 'form', { title: 'abc' })
      const answer = await world.admin.put(pathOf('form', id), { title: null, count: 1.5, nothing: 1 })
      assert.deepEqual(problemsIn(answer).sort(), ['count type', 'nothing unknown', 'title required'])
      problemsIn(await world.admin.put(pathOf('sample', 999_999), { title: 'x' }), 404, 'NOT_FOUND')
    })

    it('keeps unique values apart when it is changed', async () => {
      await create(world.admin, 'sample', { code: 'taken' })
      const { id } = await create(world.admin, 'sample', { code: 'free' })
      problemsIn(await world.admin.put(pathOf('sample', id), { code: 'taken' }), 409, 'CONFLICT')
      assert.equal((await update(world.admin, 'sample', id, { code: 'free' })).code, 'free')
    })

    it('is gone when it was deleted', async () => {
      const entry = await create(world.admin, 'sample', { title: 'to go' })
      assert.deepEqual(dataOf(await world.admin.delete(pathOf('sample', entry.id))), entry)
      for (const method of ['get', 'delete'] as const) {
        problemsIn(await world.admin[method](pathOf('sample', entry.id)), 404, 'NOT_FOUND')
      }
    })

    it('has no other ids than positive integers', async () => {
      for (const id of [
        '0',
        '-1',
        '1.5',
        'abc',
        '01',
        '1e3',
        '9007199254740993',
        '99999999999999999999',
        '1%20',
      ]) {
        assert.equal((await world.admin.get(pathOf('sample', id))).status, 404, id)
      }
    })

    it('has a type', async () => {
      for (const type of [
        'nothing',
        'user',
        'media',
        'media-folder',
        'role',
        'constructor',
        '__proto__',
        'Sample',
      ]) {
        for (const answer of [
          await world.admin.get(pathOf(type)),
          await world.admin.get(pathOf(type, 1)),
          await world.admin.post(pathOf(type), {}),
          await world.admin.put(pathOf(type, 1), {}),
          await world.admin.delete(pathOf(type, 1)),
        ]) {
          problemsIn(answer, 404, 'NOT_FOUND')
        }
      }
    })

    it('shows no times where its type keeps none', async () => {
      const entry = await create(world.admin, 'plain', { title: 'x' })
      assert.deepEqual(entry, { id: entry.id, title: 'x' })
      assert.deepEqual(await read(world.admin, 'plain', entry.id), entry)
      assert.deepEqual(await update(world.admin, 'plain', entry.id, { title: 'y' }), { ...entry, title: 'y' })
      assert.deepEqual(await list(world.admin, 'plain'), [{ ...entry, title: 'y' }])
    })
  })

  describe('many entries', () => {
    it('are changed together or not at all', async () => {
      const first = await create(world.admin, 'sample', { title: 'bulk', count: 1 })
      const second = await create(world.admin, 'sample', { title: 'bulk', count: 2 })
      const ids = [first.id, second.id]
      const path = pathOf('sample', 'bulk-update')
      const { batch, ...changed } = dataOf(await world.admin.patch(path, { ids, data: { count: 5 } }))
      assert.deepEqual(changed, { count: 2, ids })
      assert.notEqual(batch, null)
      problemsIn(
        await world.admin.patch(path, { ids: [...ids, 999_999], data: { count: 6 } }),
        404,
        'NOT_FOUND',
      )
      problemsIn(await world.admin.patch(path, { ids, data: { count: 'x' } }))
      problemsIn(await world.admin.patch(path, { ids, data: { code: 'same for both' } }), 409, 'CONFLICT')
      for (const id of ids) assert.equal((await read(world.admin, 'sample', id)).count, 5)
    })

    it('are deleted together or not at all', async () => {
      const ids = [await create(world.admin, 'sample'), await create(world.admin, 'sample')].map(
        ({ id }) => id,
      )
      const path = pathOf('sample', 'bulk-delete')
      problemsIn(await world.admin.delete(path, { ids: [...ids, 999_999] }), 404, 'NOT_FOUND')
      assert.deepEqual(await listIds(world.admin, 'sample', `?filters[id][$in]=${ids}`), ids)
      assert.deepEqual(dataOf(await world.admin.delete(path, { ids })), { count: 2, ids, batch: null })
      assert.deepEqual(await listIds(world.admin, 'sample', `?filters[id][$in]=${ids}`), [])
    })

    it('are at most a thousand, named by their ids', async () => {
      const tooMany = Array.from({ length: 1001 }, (_, index) => index + 1)
      for (const ids of [tooMany, [], ['1'], [0], [1.5], 1, undefined, [null]]) {
        problemsIn(await world.admin.patch(pathOf('sample', 'bulk-update'), { ids, data: { count: 1 } }))
        problemsIn(await world.admin.delete(pathOf('sample', 'bulk-delete'), { ids }))
      }
      problemsIn(await world.admin.patch(pathOf('sample', 'bulk-update'), { ids: [1] }))
      problemsIn(await world.admin.patch(pathOf('sample', 'bulk-update'), { ids: [1], data: [], more: 1 }))
    })
  })

  describe('a single type', () => {
    const home = pathOf('home')

    it('has one entry, made and changed in one place', async () => {
      problemsIn(await world.admin.get(home), 404, 'NOT_FOUND')
      problemsIn(await world.admin.delete(home), 404, 'NOT_FOUND')
      assert.deepEqual(problemsIn(await world.admin.put(home, {})), ['headline required'])
      const made = await world.admin.put(home, { headline: 'Hello' })
      assert.equal(made.status, 201)
      const entry = dataOf(await world.admin.get(home))
      assert.deepEqual(entry, made.body.data)
      assert.equal(dataOf(await world.admin.put(home, { headline: 'Hi' })).headline, 'Hi')
      problemsIn(await world.admin.post(home, { headline: 'Second' }), 409, 'CONFLICT')
      assert.equal((await read(world.admin, 'home', entry.id)).headline, 'Hi')
      assert.equal((await update(world.admin, 'home', entry.id, { headline: 'Hey' })).headline, 'Hey')
      assert.equal(dataOf(await world.admin.delete(home)).id, entry.id)
      problemsIn(await world.admin.get(home), 404, 'NOT_FOUND')
      const again = await create(world.admin, 'home', { headline: 'Again' })
      assert.equal(dataOf(await world.admin.get(`${home}?fields=headline`)).headline, 'Again')
      assert.equal(dataOf(await world.admin.delete(pathOf('home', again.id))).headline, 'Again')
      assert.equal((await world.admin.put(home, { headline: 'Once more' })).status, 201)
    })

    it('stays one entry when many make it at once', async () => {
      await world.admin.delete(home)
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, index) => world.admin.put(home, { headline: `Number ${index}` })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 201])
      assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
    })

    it('answers 405 where a collection has no such method', async () => {
      for (const method of ['put', 'delete'] as const) {
        const answer = await world.admin[method](pathOf('sample'), method === 'put' ? {} : undefined)
        problemsIn(answer, 405, 'METHOD_NOT_ALLOWED')
        assert.ok(answer.headers.get('allow'))
      }
    })
  })
})
