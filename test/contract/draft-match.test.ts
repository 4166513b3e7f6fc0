import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { counted, exported, mediaTypes, sendFile, told } from './import-world.ts'

type Entry = Record<string, unknown> & { id: number }

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: info('page'),
    options: { draftAndPublish: true, draftOverlay: true },
    attributes: {
      slug: { type: 'string', unique: true },
      title: { type: 'string' },
      body: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
    },
  },
  'tag.json': { kind: 'collectionType', info: info('tag'), attributes: { name: { type: 'string' } } },
}

eachDatabase(({ name }) => {
  let service: TestService

  before(async () => {
    service = await startService({ database: name, schemas })
  })
  after(() => service.stop())

  const path = '/api/content/page'
  const dataOf = async (answer: ReturnType<TestService['admin']['get']>, status = 200) =>
    expectStatus(await answer, status).body.data
  const live = (id: number): Promise<Entry> => dataOf(service.admin.get(`${path}/${id}`))
  const latest = (id: number): Promise<Entry> => dataOf(service.admin.get(`${path}/${id}?draft=true`))
  const texts = async (id: number) => {
    const [publicOne, withDraft] = [await live(id), await latest(id)]
    return [publicOne.title, publicOne.body, withDraft.title, withDraft.body, withDraft.has_draft]
  }
  const bulk = async (entries: object[], query = '') =>
    counted(await dataOf(service.admin.post(`${path}/bulk-create?match=slug${query}`, entries))).slice(0, 3)
  const sent = async (record: object | string, { query = '', type = mediaTypes.ndjson } = {}) => {
    const file = typeof record === 'string' ? record : JSON.stringify(record)
    const { data } = await sendFile(service.admin, `${path}/import?match=slug${query}`, file, type)
    assert.deepEqual(told(data), [])
    return counted(data)
  }
  const revisions = async (id: number): Promise<string[]> =>
    (await dataOf(service.admin.get(`${path}/${id}/revisions`))).map(({ action }: Entry) => action)

  /** A published entry whose title an editor is about to change. */
  async function pending(slug: string): Promise<{ id: number; record: Entry }> {
    const data = { slug, title: 'Public', body: 'Text' }
    const { id } = await dataOf(service.admin.post(path, data), 201)
    await dataOf(service.admin.put(`${path}/${id}/publish`))
    await dataOf(service.admin.put(`${path}/${id}`, { title: 'Pending' }))
    return { id, record: data as unknown as Entry }
  }

  const untouched = ['Public', 'Text', 'Pending', 'Text', true]

  describe('a record that is what is public already', () => {
    it('leaves the pending draft alone', async () => {
      const { id, record } = await pending('same')
      const before = await latest(id)
      const log = await revisions(id)
      assert.deepEqual(await bulk([record]), [0, 0, 1])
      assert.deepEqual(await bulk([record], '&publish=true'), [0, 0, 1])
      assert.deepEqual(await sent(record), [0, 0, 1, 0])
      assert.deepEqual(await sent(record, { query: '&publish=true' }), [0, 0, 1, 0])
      const { published_at } = await live(id)
      assert.deepEqual(await sent({ ...record, published_at }), [0, 0, 1, 0])
      for (const format of ['ndjson', 'json', 'csv'] as const) {
        const file = await exported(
          service.admin,
          `${path}/export?format=${format}&keys=natural&filters[slug]=same`,
        )
        assert.deepEqual(await sent(file, { type: mediaTypes[format] as never }), [0, 0, 1, 0], format)
      }
      assert.deepEqual(await latest(id), before)
      assert.deepEqual(await texts(id), untouched)
      assert.deepEqual(await revisions(id), log)
    })
  })

  describe('a record that is the pending draft', () => {
    it('publishes nothing', async () => {
      const { id, record } = await pending('drafted')
      const before = await latest(id)
      for (const format of ['ndjson', 'json', 'csv'] as const) {
        const query = `format=${format}&keys=natural&draft=true&filters[slug]=drafted`
        for (const fields of ['', '&fields=slug,title,published_at']) {
          const file = await exported(service.admin, `${path}/export?${query}${fields}`)
          assert.deepEqual(await sent(file, { type: mediaTypes[format] as never }), [0, 0, 1, 0], format)
        }
      }
      assert.deepEqual(await bulk([{ ...record, title: 'Pending' }]), [0, 0, 1])
      assert.deepEqual(await bulk([before]), [0, 0, 1])
      assert.deepEqual(await latest(id), before)
      assert.deepEqual(await texts(id), untouched)
    })

    it('goes into the draft where it differs, and is a draft where there is no entry', async () => {
      const { id } = await pending('changed')
      const file = await exported(service.admin, `${path}/export?draft=true&filters[slug]=changed`)
      const { id: _id, ...record } = JSON.parse(file)
      assert.deepEqual(await sent({ ...record, body: 'Better' }), [0, 1, 0, 0])
      assert.deepEqual(await texts(id), ['Public', 'Text', 'Pending', 'Better', true])
      // Back to what is public, by somebody who has seen the draft.
      assert.deepEqual(await bulk([{ ...record, title: 'Public', body: 'Text' }]), [0, 1, 0])
      assert.deepEqual((await texts(id)).slice(0, 4), ['Public', 'Text', 'Public', 'Text'])
      assert.deepEqual(await sent({ ...record, slug: 'elsewhere' }), [1, 0, 0, 0])
      const [made] = await dataOf(service.admin.get(`${path}?filters[slug]=elsewhere`))
      assert.deepEqual([made.title, made.published_at], ['Pending', null])
    })

    it('is published where that is asked for', async () => {
      const { id } = await pending('asked')
      const record = await latest(id)
      assert.deepEqual(await bulk([record], '&publish=true'), [0, 1, 0])
      assert.deepEqual(await texts(id), ['Pending', 'Text', 'Pending', 'Text', false])
    })
  })

  describe('a record that differs from both', () => {
    it('goes into the draft beside what is pending, unless it says that it is public', async () => {
      const { id, record } = await pending('both')
      assert.deepEqual(await bulk([{ ...record, body: 'New' }]), [0, 1, 0])
      assert.deepEqual(await texts(id), ['Public', 'Text', 'Pending', 'New', true])
    })

    it('becomes public without what is pending, which stays', async () => {
      const tag = await dataOf(service.admin.post('/api/content/tag', { name: 'a' }), 201)
      for (const [slug, send] of [
        ['live-bulk', (record: object) => bulk([record], '&publish=true')],
        ['live-import', (record: object) => sent(record, { query: '&publish=true' })],
      ] as const) {
        const { id, record } = await pending(slug)
        await dataOf(service.admin.put(`${path}/${id}`, { tags: [tag.id] }))
        const before = await latest(id)
        const opened = await service.admin.get(`${path}/${id}?draft=true`)
        assert.deepEqual((await send({ ...record, body: 'New' })).slice(0, 3), [0, 1, 0])
        assert.deepEqual(await texts(id), ['Public', 'New', 'Pending', 'New', true])
        const after = await latest(id)
        assert.deepEqual([(await live(id)).tags, after.tags], [[], [tag.id]])
        assert.ok(String(after.updated_at) > String(before.updated_at))
        const { body } = await service.admin.get(`/api/content/tag/${tag.id}/usage`)
        assert.match(JSON.stringify(body), new RegExp(`"id":${id}\\b`))
        // Whoever had opened the draft is told.
        const headers = { 'if-match': opened.headers.get('etag') ?? '' }
        expectStatus(await service.admin.put(`${path}/${id}/publish`, undefined, { headers }), 412)
      }
    })

    it('ends the draft whose texts it makes public', async () => {
      const { id, record } = await pending('same-text')
      const { published_at } = await live(id)
      assert.deepEqual(await sent({ ...record, title: 'Pending', published_at }), [0, 1, 0, 0])
      assert.deepEqual(await texts(id), ['Pending', 'Text', 'Pending', 'Text', false])
      assert.equal((await live(id)).published_at, published_at)
    })

    it('publishes what was unpublished, and leaves its draft beside it', async () => {
      const { id, record } = await pending('unpublished')
      await dataOf(service.admin.put(`${path}/${id}/unpublish`))
      assert.deepEqual(await bulk([record], '&publish=true'), [0, 1, 0])
      assert.deepEqual(await texts(id), untouched)
      assert.notEqual((await live(id)).published_at, null)
    })
  })
})
