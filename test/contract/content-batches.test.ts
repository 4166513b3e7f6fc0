import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const typeFile = (name: string, options: object, attributes: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' }, ...attributes },
  },
})
const schemas = {
  ...typeFile(
    'page',
    { draftAndPublish: true, draftOverlay: true, softDelete: true },
    {
      code: { type: 'string', unique: true },
      text: { type: 'text' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
    },
  ),
  ...typeFile('tag', {}),
  ...typeFile(
    'story',
    { i18n: { enabled: true }, draftAndPublish: true },
    { rank: { type: 'integer' }, text: { type: 'text', pluginOptions: { i18n: { localized: true } } } },
  ),
}

interface Batch {
  readonly id: string
  readonly expires_at: string
}

eachDatabase(({ name }) => {
  let service: TestService
  let editor: Caller
  let other: Caller

  const path = (type: string, rest = '') => `/api/content/${type}${rest}`
  const create = async (data: object, type = 'page'): Promise<number> =>
    expectStatus(await service.admin.post(path(type), data), 201).body.data.id
  const read = async (id: number, query = '') =>
    expectStatus(await service.admin.get(path('page', `/${id}${query}`)), 200).body.data
  const bulk = {
    update: (ids: number[], data: object, client: Client = editor.client, type = 'page') =>
      client.patch(path(type, '/bulk-update'), { ids, data }),
    publish: (ids: number[]) => editor.client.post(path('page', '/bulk-publish'), { ids }),
    unpublish: (ids: number[]) => editor.client.post(path('page', '/bulk-unpublish'), { ids }),
    delete: (ids: number[], client: Client = service.admin, type = 'page') =>
      client.delete(path(type, '/bulk-delete'), { ids }),
  }
  const batchOf = (answer: Awaited<ReturnType<typeof bulk.publish>>): Batch | null =>
    expectStatus(answer, 200).body.data.batch
  const revert = (batch: Batch | null, client: Client = editor.client) =>
    client.post(`/api/admin/batches/${batch?.id}/revert`)
  const reverted = async (batch: Batch | null, client?: Client) => {
    assert.notEqual(batch, null)
    const { count, ids, leftOut } = expectStatus(await revert(batch, client), 200).body.data
    assert.equal(count, ids.length)
    return { ids, leftOut }
  }
  const run = (statement: ReturnType<typeof sql>) => {
    const database = service.kernel.get(databaseService)
    return database.run(database.prepare(statement))
  }

  before(async () => {
    service = await startService({
      ...{ database: name, schemas },
      env: { SVC_LOCALIZATION_LOCALES: '["en","de","fr"]' },
    })
    editor = await newAdmin(service, 'editor')
    other = await newAdmin(service, 'editor')
  })
  after(() => service.stop())

  describe('reverting a bulk write', () => {
    it('restores the fields of an update, except where somebody has written since', async () => {
      const tag = await create({ title: 't' }, 'tag')
      const ids = [await create({ title: 'a', tags: [tag] }), await create({ title: 'b' }), await create({})]
      const [first = 0, second = 0, third = 0] = ids
      const batch = batchOf(await bulk.update(ids, { title: 'x', tags: [] }))
      assert.ok(Date.parse(batch?.expires_at ?? '') > Date.now())
      expectStatus(await service.admin.put(path('page', `/${second}`), { text: 'mine' }), 200)
      assert.deepEqual(await reverted(batch), {
        ids: [first, third],
        leftOut: [{ id: second, reason: 'changed', problems: [] }],
      })
      const restored = await read(first)
      assert.deepEqual([restored.title, restored.tags], ['a', [tag]])
      assert.equal((await read(second)).title, 'x')
      assert.equal((await read(third)).title, null)
      assert.deepEqual((await reverted(batch)).ids, [], 'again changes nothing')
    })

    it('restores all localisations of an entry, which change with each other', async () => {
      const story = path('story')
      const source = await create({ rank: 1, text: 'one' }, 'story')
      const versions = [source]
      for (const locale of ['de', 'fr']) {
        const made = await service.admin.post(`${story}/${source}/localizations`, { locale, text: locale })
        versions.push(expectStatus(made, 201).body.data.id)
      }
      const stories = async () => {
        const { body } = await service.admin.get(`${story}?sort=id&filters[id][$in]=${versions}`)
        return body.data.map(({ rank, text }: { rank: number; text: string }) => [rank, text])
      }
      const before = await stories()
      const batch = batchOf(await bulk.update(versions, { rank: 2, text: 'x' }, service.admin, 'story'))
      assert.deepEqual(await reverted(batch, service.admin), { ids: versions, leftOut: [] })
      assert.deepEqual(await stories(), before)

      // What somebody else has changed meanwhile stays.
      const [, german = 0, french = 0] = versions
      const second = batchOf(await bulk.update(versions, { rank: 3 }, service.admin, 'story'))
      expectStatus(await service.admin.put(`${story}/${german}`, { text: 'mine' }), 200)
      assert.deepEqual(await reverted(second, service.admin), {
        ids: [source, french],
        leftOut: [{ id: german, reason: 'changed', problems: [] }],
      })
      assert.deepEqual(
        (await stories()).map(([rank]: number[]) => rank),
        [1, 1, 1],
      )
    })

    it('restores drafts as they were', async () => {
      const ids = [await create({ title: 'a' }), await create({ title: 'b' })]
      const [first = 0, second = 0] = ids
      expectStatus(await bulk.publish(ids), 200)
      expectStatus(await service.admin.put(path('page', `/${second}`), { title: 'draft' }), 200)
      const batch = batchOf(await bulk.update(ids, { title: 'x', text: 'y' }))
      assert.deepEqual((await reverted(batch)).ids, ids)
      const [one, two] = [await read(first, '?draft=true'), await read(second, '?draft=true')]
      assert.deepEqual([one.title, one.text, one.has_draft], ['a', null, false])
      assert.deepEqual([two.title, two.text, two.has_draft], ['draft', null, true])
    })

    it('unpublishes what was not public, and takes published drafts back', async () => {
      const ids = [await create({ title: 'a' }), await create({ title: 'b' }), await create({ title: 'c' })]
      const [hidden = 0, overlaid = 0, scheduled = 0] = ids
      expectStatus(await service.admin.put(path('page', `/${overlaid}/publish`)), 200)
      const { published_at } = await read(overlaid)
      expectStatus(await service.admin.put(path('page', `/${overlaid}`), { title: 'new' }), 200)
      const publishedAt = '2100-01-01T00:00:00.000Z'
      expectStatus(await service.admin.put(path('page', `/${scheduled}/publish`), { publishedAt }), 200)
      const batch = batchOf(await bulk.publish(ids))
      assert.equal((await read(overlaid)).title, 'new')
      assert.deepEqual((await reverted(batch)).ids, ids)
      assert.equal((await read(hidden)).published_at, null)
      assert.equal((await read(scheduled)).published_at, publishedAt)
      const live = await read(overlaid)
      assert.deepEqual([live.title, live.published_at], ['b', published_at])
      const drafted = await read(overlaid, '?draft=true')
      assert.deepEqual([drafted.title, drafted.has_draft], ['new', true])
    })

    it('publishes what was public, without its draft', async () => {
      const ids = [await create({ title: 'a' }), await create({ title: 'b' })]
      const [plain = 0, overlaid = 0] = ids
      expectStatus(await bulk.publish(ids), 200)
      const { published_at } = await read(plain)
      expectStatus(await service.admin.put(path('page', `/${overlaid}`), { title: 'new' }), 200)
      const unpublishAt = '2100-01-01T00:00:00.000Z'
      const end = (id: number) => editor.client.put(path('page', `/${id}/unpublish-at`), { unpublishAt })
      for (const id of ids) expectStatus(await end(id), 200)
      const batch = batchOf(await bulk.unpublish(ids))
      assert.deepEqual((await reverted(batch)).ids, ids)
      for (const id of ids) assert.equal((await read(id, '?meta=true'))._meta.unpublish_at, unpublishAt)
      assert.equal((await read(plain)).published_at, published_at)
      assert.equal((await read(overlaid)).title, 'b')
      assert.equal((await read(overlaid, '?draft=true')).title, 'new')
    })

    it('takes entries out of the trash, for administrators', async () => {
      const ids = [await create({ title: 'a' }), await create({ title: 'b' })]
      const [first = 0, second = 0] = ids
      const batch = batchOf(await bulk.delete(ids))
      expectStatus(await service.admin.delete(path('page', `/${second}?permanent=true`)), 200)
      assert.deepEqual(await reverted(batch, service.admin), {
        ids: [first],
        leftOut: [{ id: second, reason: 'gone', problems: [] }],
      })
      assert.equal((await read(first)).title, 'a')
      assert.equal(batchOf(await bulk.delete([first], editor.client)), null, 'editors restore nothing')
      const tag = await create({ title: 't' }, 'tag')
      assert.equal(batchOf(await bulk.delete([tag], service.admin, 'tag')), null, 'there is no trash')
    })

    it('leaves out what cannot be as it was', async () => {
      const [first, second] = [await create({ code: `${name}-1` }), await create({ code: `${name}-2` })]
      const batch = batchOf(await bulk.update([first], { code: null }))
      expectStatus(await service.admin.put(path('page', `/${second}`), { code: `${name}-1` }), 200)
      const { ids, leftOut } = await reverted(batch)
      assert.deepEqual([ids, leftOut[0].reason], [[], 'refused'])
      expectStatus(await service.admin.put(path('page', `/${second}`), { code: null }), 200)
      assert.deepEqual((await reverted(batch)).ids, [first], 'once it can')
    })
  })

  describe('batches', () => {
    it('are reverted by their author and administrators, who may write', async () => {
      const id = await create({ title: 'a' })
      const batch = batchOf(await bulk.update([id], { title: 'x' }))
      const user = await newUser(service)
      const reader = await newApiToken(service, ['content:write'])
      expectStatus(await service.post(`/api/admin/batches/${batch?.id}/revert`), 401)
      expectStatus(await revert(batch, user.client), 403)
      expectStatus(await revert(batch, other.client), 404)
      expectStatus(await revert(batch, reader.client), 404)
      expectStatus(await revert({ id: 'none', expires_at: '' }), 404)
      assert.deepEqual((await reverted(batch, service.admin)).ids, [id])
      const roles = '/api/admin/roles'
      const permissions = { content: { page: { read: true, update: true } }, media: {} }
      const role = `writer-${Date.now()}`
      const made = await service.admin.post(roles, { name: role, permissions })
      const writer = await newAdmin(service, role)
      const theirs = batchOf(await bulk.update([id], { title: 'y' }, writer.client))
      permissions.content.page.update = false
      const { id: roleId } = expectStatus(made, 201).body.data
      expectStatus(await service.admin.put(`${roles}/${roleId}`, { permissions }), 200)
      expectStatus(await revert(theirs, writer.client), 403)
      assert.equal((await read(id)).title, 'y')
    })

    it('end, and are forgotten', async () => {
      const id = await create({ title: 'a' })
      const batch = batchOf(await bulk.update([id], { title: 'x' }))
      await run(
        sql`update svc_batches set expires_at = created_at where batch = ${sql.raw(`'${batch?.id}'`)}`,
      )
      expectStatus(await revert(batch), 404)
      await run(sql`update svc_batches set expires_at = created_at`)
      const { body } = await service.admin.get('/api/admin/scheduled-jobs')
      const schedule = body.data.find(({ name }: { name: string }) => name === 'batches.forget')
      expectStatus(await service.admin.post(`/api/admin/scheduled-jobs/${schedule.id}/run`), 202)
      await service.kernel.get(jobsService).drain()
      const database = service.kernel.get(databaseService)
      for (const table of ['svc_batches', 'svc_batch_entries']) {
        const count = database.prepare<{ n: number }>(
          sql`select count(*) as n from ${sql.identifier(table)}`,
          {
            n: 'integer',
          },
        )
        assert.equal((await database.get(count))?.n, 0)
      }
    })

    it('are bounded in number and size', slow, async () => {
      const id = await create({ title: 'a' })
      const batches: (Batch | null)[] = []
      for (let index = 0; index < 21; index += 1)
        batches.push(batchOf(await bulk.update([id], { title: `x${index}` })))
      expectStatus(await revert(batches[0] ?? null), 404)
      assert.deepEqual((await reverted(batches[20] ?? null)).ids, [id])
      const ids: number[] = []
      for (let index = 0; index < 9; index += 1) ids.push(await create({ text: 'x'.repeat(950_000) }))
      assert.equal(batchOf(await bulk.update(ids, { text: '' })), null)
    })

    it('are not kept for content users', async () => {
      const id = await create({ title: 'a' }, 'tag')
      const permissions = { content: { tag: { read: true, update: true } }, media: {} }
      const made = await service.admin.post('/api/admin/roles', { name: `member-${Date.now()}`, permissions })
      const user = await newUser(service, expectStatus(made, 201).body.data.name)
      assert.equal(batchOf(await bulk.update([id], { title: 'x' }, user.client, 'tag')), null)
    })
  })
})
