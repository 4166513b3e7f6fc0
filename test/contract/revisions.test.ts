import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { contentService, storedEntriesService } from '../../core-plugins/entries/content/content.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: info('page'),
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      body: { type: 'richtext' },
      price: { type: 'decimal' },
      data: { type: 'json' },
      related: { type: 'relation', relation: 'manyToMany', target: 'page' },
      blocks: { type: 'dynamicZone', components: ['part.text'] },
    },
  },
  'brief.json': {
    kind: 'collectionType',
    info: info('brief'),
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      source: { type: 'relation', relation: 'manyToOne', target: 'source' },
    },
  },
  'source.json': {
    kind: 'collectionType',
    info: info('source'),
    options: {},
    attributes: { title: { type: 'string' } },
  },
  'note.json': {
    kind: 'collectionType',
    info: info('note'),
    options: { softDelete: true, timestamps: false },
    attributes: { title: { type: 'string' } },
  },
  'components/part.text.json': {
    uid: 'part.text',
    category: 'part',
    info: { displayName: 'Text' },
    attributes: { text: { type: 'text' } },
  },
}

interface Shown {
  readonly id: number
  readonly version: number
  readonly action: string
  readonly data: Record<string, unknown>
  readonly author: { kind: string; id: number; username: string } | null
}

eachDatabase(({ name }) => {
  let service: TestService
  before(async () => {
    service = await startService({ database: name, schemas })
  })
  after(() => service.stop())

  const create = async (data: object, type = 'page'): Promise<number> =>
    expectStatus(await service.admin.post(`/api/content/${type}`, data), 201).body.data.id
  const update = async (id: number, data: object, type = 'page') =>
    expectStatus(await service.admin.put(`/api/content/${type}/${id}`, data), 200).body.data
  const revisionsOf = async (id: number, type = 'page', query = ''): Promise<Shown[]> =>
    expectStatus(await service.admin.get(`/api/content/${type}/${id}/revisions${query}`), 200).body.data
  const restore = (id: number, revisionId: number | undefined, type = 'page') =>
    service.admin.post(`/api/content/${type}/${id}/revisions/${revisionId}/restore`)
  const told = (revisions: readonly Shown[]) => revisions.map(({ version, action }) => `${version} ${action}`)

  describe('revisions', () => {
    it('are kept of every write, newest first', async () => {
      const id = await create({ title: 'One', price: '1.50', data: { b: 1, a: [2] } })
      await update(id, { title: 'Two', related: [id] })
      await update(id, {})
      expectStatus(await service.admin.put(`/api/content/page/${id}/publish`), 200)
      expectStatus(await service.admin.put(`/api/content/page/${id}/publish`), 200)
      expectStatus(await service.admin.put(`/api/content/page/${id}/unpublish`), 200)
      const body = { ids: [id], data: { title: 'Three' } }
      expectStatus(await service.admin.patch('/api/content/page/bulk-update', body), 200)

      const revisions = await revisionsOf(id)
      assert.deepEqual(told(revisions), ['5 update', '4 unpublish', '3 publish', '2 update', '1 create'])
      const [newest, , published, , first] = revisions
      assert.equal(newest?.data.title, 'Three')
      assert.equal(typeof published?.data.published_at, 'string')
      assert.deepEqual(first?.data, {
        title: 'One',
        body: null,
        price: 1.5,
        data: { b: 1, a: [2] },
        related: [],
        blocks: [],
        published_at: null,
      })
      assert.deepEqual([newest?.author?.kind, newest?.author?.id], ['admin', 1])
      const one = await service.admin.get(`/api/content/page/${id}/revisions/${first?.id}`)
      assert.deepEqual(expectStatus(one, 200).body.data, first)
    })

    it('come in pages, with or without data', async () => {
      const id = await create({ title: '1' })
      for (const title of ['2', '3']) await update(id, { title })
      const answer = await service.admin.get(`/api/content/page/${id}/revisions?limit=2&data=false`)
      assert.deepEqual(answer.body.pagination, { total: 3, limit: 2, offset: 0, hasMore: true })
      assert.deepEqual(told(answer.body.data), ['3 update', '2 update'])
      assert.equal('data' in answer.body.data[0], false)
      assert.deepEqual(told(await revisionsOf(id, 'page', '?offset=2')), ['1 create'])
    })

    it('are kept with the write or not at all', async () => {
      const id = await create({ title: 'One' })
      const body = { ids: [id, 999_999], data: { title: 'Two' } }
      expectStatus(await service.admin.patch('/api/content/page/bulk-update', body), 404)
      const content = service.kernel.get(contentService)
      const principal = { kind: 'token', id: 9, name: 'x', scopes: new Set(['admin:*']) } as const
      await assert.rejects(
        service.kernel.get(databaseService).transaction(async (tx) => {
          await content.update({ type: 'page', id, principal, tx }, { title: 'Two' })
          throw new Error('rolled back')
        }),
        /rolled back/,
      )
      assert.deepEqual(told(await revisionsOf(id)), ['1 create'])
    })

    it('tell apart the writes of one transaction', async () => {
      const id = await create({ title: 'One' })
      const content = service.kernel.get(contentService)
      const principal = { kind: 'token', id: 9, name: 'x', scopes: new Set(['admin:*']) } as const
      await service.kernel.get(databaseService).transaction(async (tx) => {
        await content.update({ type: 'page', id, principal, tx }, { title: 'Two' })
        await service.kernel
          .get(storedEntriesService)
          .repair({ type: 'page', id, principal, tx }, () => ({ title: 'Three' }))
      })
      const revisions = await revisionsOf(id)
      assert.deepEqual(told(revisions), ['3 repair', '2 update', '1 create'])
      assert.deepEqual(
        revisions.map(({ data }) => data.title),
        ['Three', 'Two', 'One'],
      )
    })

    it('number the writes of many at the same time', async () => {
      const id = await create({ title: 'x' })
      await Promise.all(Array.from({ length: 8 }, (_, index) => update(id, { title: `t${index}` })))
      const revisions = await revisionsOf(id)
      assert.deepEqual(
        revisions.map(({ version }) => version),
        [9, 8, 7, 6, 5, 4, 3, 2, 1],
      )
      assert.equal(new Set(revisions.map(({ data }) => data.title)).size, 9)
    })

    it('bring an entry back, and keep what it was until then', async () => {
      const id = await create({
        title: 'One',
        body: '<p>first</p>',
        blocks: [{ __component: 'part.text', text: 'a' }],
      })
      await update(id, { title: 'Two', body: null, blocks: [] })
      expectStatus(await service.admin.put(`/api/content/page/${id}/publish`), 200)
      const [, , first] = await revisionsOf(id)
      const answer = expectStatus(await restore(id, first?.id), 200)
      assert.equal(answer.body.data.title, 'One')
      assert.equal(answer.body.data.body, '<p>first</p>')
      assert.equal(answer.body.data.blocks[0].text, 'a')
      assert.equal(typeof answer.body.data.published_at, 'string')
      assert.equal('_leftOut' in answer.body.data, false)
      const revisions = await revisionsOf(id)
      assert.deepEqual(told(revisions).slice(0, 3), ['4 restore', '3 publish', '2 update'])
      assert.equal(revisions[1]?.data.title, 'Two')
    })

    it('leave out what is not there any more', async () => {
      const other = await create({ title: 'Other' })
      const id = await create({ title: 'One', related: [other] })
      await update(id, { title: 'Two', related: [] })
      expectStatus(await service.admin.delete(`/api/content/page/${other}`), 200)
      const { body } = expectStatus(await restore(id, (await revisionsOf(id))[1]?.id), 200)
      assert.equal(body.data.title, 'One')
      assert.deepEqual(body.data.related, [])
      assert.deepEqual(
        body.data._leftOut.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
        ['related.0 reference'],
      )
    })

    it('are not restored on the sight of an older version', async () => {
      const id = await create({ title: 'One' })
      const { headers } = await service.admin.get(`/api/content/page/${id}`)
      await update(id, { title: 'Two' })
      const [newest] = await revisionsOf(id)
      const path = `/api/content/page/${id}/revisions/${newest?.id}/restore`
      const options = { headers: { 'if-match': headers.get('etag') ?? '' } }
      expectStatus(await service.admin.request('POST', path, options), 412)
      const current = await service.admin.get(`/api/content/page/${id}`)
      const fresh = { headers: { 'if-match': current.headers.get('etag') ?? '' } }
      expectStatus(await service.admin.request('POST', path, fresh), 200)
    })

    it('tell what differs', async () => {
      const id = await create({ title: 'One', data: { a: 1, b: 2 } })
      await update(id, { title: 'Two', data: { b: 2, a: 1 } })
      await update(id, { title: 'Three', price: 2 })
      const [, second, first] = await revisionsOf(id)
      const path = `/api/content/page/${id}/revisions/${first?.id}/diff`
      const toSecond = expectStatus(await service.admin.get(`${path}?to=${second?.id}`), 200).body.data
      assert.deepEqual(toSecond.fields, [{ field: 'title', from: 'One', to: 'Two' }])
      assert.deepEqual([toSecond.from.version, toSecond.to.version], [1, 2])
      const { fields } = expectStatus(await service.admin.get(path), 200).body.data
      assert.deepEqual(fields, [
        { field: 'title', from: 'One', to: 'Three' },
        { field: 'price', from: null, to: 2 },
      ])
      expectStatus(await service.admin.get(`${path}?to=999999`), 404)
    })

    it('go with their entry, and stay with one that is soft-deleted', async () => {
      const page = await create({ title: 'One' })
      const [revision] = await revisionsOf(page)
      expectStatus(await service.admin.delete(`/api/content/page/${page}`), 200)
      expectStatus(await service.admin.get(`/api/content/page/${page}/revisions`), 404)
      expectStatus(await restore(page, revision?.id), 404)

      const note = await create({ title: 'One' }, 'note')
      expectStatus(await service.admin.delete(`/api/content/note/${note}`), 200)
      const [deleted] = await revisionsOf(note, 'note')
      expectStatus(await restore(note, deleted?.id, 'note'), 404)
      expectStatus(await service.admin.post(`/api/content/note/${note}/restore`), 200)
      assert.deepEqual(told(await revisionsOf(note, 'note')), ['3 undelete', '2 delete', '1 create'])
    })

    it('start with what was there where the first writes were not seen', async () => {
      const id = await create({ title: 'One' })
      await forget(id)
      await update(id, { title: 'Two' })
      const revisions = await revisionsOf(id)
      assert.deepEqual(told(revisions), ['2 update', '1 baseline'])
      assert.deepEqual([revisions[1]?.data.title, revisions[1]?.author], ['One', null])
    })

    it('are kept up to a number, and read whole whatever they were stored as', async () => {
      expectStatus(await service.admin.put('/api/admin/config', { 'advanced.revisions.max': 5 }), 200)
      const paragraph = (index: number) => `<p>${`paragraph ${index} `.repeat(20)}</p>`
      const bodyOf = (round: number) =>
        Array.from({ length: 20 }, (_, index) => paragraph(index === round % 20 ? 1000 + round : index)).join(
          '',
        )
      const id = await create({ title: 'v1', body: bodyOf(1) })
      for (let round = 2; round <= 30; round += 1)
        await update(id, { title: `v${round}`, body: bodyOf(round) })
      const revisions = await revisionsOf(id)
      assert.deepEqual(
        revisions.map(({ version }) => version),
        [30, 29, 28, 27, 26],
      )
      for (const { version, data } of revisions) {
        assert.deepEqual([data.title, data.body], [`v${version}`, bodyOf(version)])
      }
      assert.ok((await storedRows(id)).length < 30)
      expectStatus(await service.admin.put('/api/admin/config', { 'advanced.revisions.max': 50 }), 200)
    })

    it('of a large entry that changes little take little room', slow, async () => {
      // As in a language, most words come again: the search would take most of the time otherwise.
      const words = Array.from({ length: 18_000 }, (_, index) =>
        (((index % 3_001) * 2_654_435_761) % 4_294_967_296).toString(36),
      )
      const id = await create({ title: 'Large', body: words.slice(0, 14_000).join(' ') })
      for (let round = 1; round < 50; round += 1) {
        words[(round * 277) % 14_000] = `changed${round}`
        await update(id, { title: `Large ${round}`, body: words.slice(0, 14_000).join(' ') })
      }
      const rows = await storedRows(id)
      const stored = rows.reduce((sum, { data }) => sum + data.length, 0)
      assert.equal(rows.length, 50)
      assert.ok(rows.some(({ data }) => data.length > 95_000))
      assert.ok(stored < 250_000, `${stored} characters`)
      const newest = await service.admin.get(`/api/content/page/${id}`)
      assert.equal((await revisionsOf(id, 'page', '?limit=1'))[0]?.data.body, newest.body.data.body)
    })

    it('are for administrators only', async () => {
      const id = await create({ title: 'One' })
      const path = `/api/content/page/${id}/revisions`
      const editor = await newAdmin(service, 'editor')
      const user = await newUser(service)
      const token = await newApiToken(service, ['content:read', 'content:write'])
      const full = await newApiToken(service, ['admin:*'])
      for (const { client } of [editor, user, token]) expectStatus(await client.get(path), 403)
      expectStatus(await service.get(path), 401)
      expectStatus(await full.client.get(path), 200)
      expectStatus(await service.admin.get('/api/content/page/999999/revisions'), 404)
      expectStatus(await service.admin.get('/api/content/nothing/1/revisions'), 404)
    })

    it('are shown to editors where the settings say so, as they would be shown the entry', async () => {
      const permissions = { content: { brief: { read: true, update: true }, note: { read: true } } }
      const role = { name: 'desk', description: '', permissions: { ...permissions, media: {} } }
      expectStatus(await service.admin.post('/api/admin/roles', role), 201)
      const { client: desk } = await newAdmin(service, 'desk')
      const token = await newApiToken(service, ['content:read', 'content:write'])
      const source = await create({ title: 'Secret' }, 'source')
      const id = await create({ title: 'One', source }, 'brief')
      await update(id, { title: 'Two', source: null }, 'brief')
      await update(id, { source }, 'brief')
      const path = `/api/content/brief/${id}/revisions`
      const [newest, , oldest] = await revisionsOf(id, 'brief')
      const open = { 'advanced.revisions.visibleToEditors': true }
      expectStatus(await service.admin.put('/api/admin/config', open), 200)

      const shown: Shown[] = expectStatus(await desk.get(path), 200).body.data
      const sources = (revisions: readonly Shown[]) => revisions.map(({ data }) => data.source)
      assert.deepEqual(sources(shown), [null, null, null])
      assert.deepEqual(sources(await revisionsOf(id, 'brief')), [source, null, source])
      const one = expectStatus(await desk.get(`${path}/${oldest?.id}`), 200).body.data
      assert.deepEqual([one.data.title, one.data.source], ['One', null])
      const { fields } = expectStatus(await desk.get(`${path}/${oldest?.id}/diff?to=${newest?.id}`), 200).body
        .data
      assert.deepEqual(fields, [{ field: 'title', from: 'One', to: 'Two' }])

      await update(id, { source: null }, 'brief')
      const restored = expectStatus(await desk.post(`${path}/${oldest?.id}/restore`), 200).body.data
      assert.deepEqual([restored.title, restored._leftOut], ['One', undefined])
      const entry = (await service.admin.get(`/api/content/brief/${id}`)).body.data
      assert.equal(entry.source, null, 'what cannot be seen is not brought back')

      expectStatus(await token.client.get(path), 403)
      expectStatus(await desk.get(`/api/content/note/${await create({ title: 'x' }, 'note')}/revisions`), 403)
      expectStatus(await desk.get('/api/content/source/1/revisions'), 403)
      const closed = { 'advanced.revisions.visibleToEditors': false }
      expectStatus(await service.admin.put('/api/admin/config', closed), 200)
      expectStatus(await desk.get(path), 403)
    })
  })

  /** As if the plugin had been off. */
  async function forget(id: number) {
    const database = service.kernel.get(databaseService)
    await database.run(
      database.prepare(
        sql`delete from svc_revisions where type = 'page' and entry_id = ${sql.raw(String(id))}`,
      ),
    )
  }

  async function storedRows(id: number): Promise<{ data: string }[]> {
    const database = service.kernel.get(databaseService)
    return database.all(
      database.prepare<{ data: string }>(
        sql`select data from svc_revisions where type = 'page' and entry_id = ${sql.raw(String(id))}`,
      ),
    )
  }
})
