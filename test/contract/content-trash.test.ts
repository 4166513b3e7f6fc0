import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { docsService } from '../../core-plugins/delivery/docs/docs.ts'
import { entryDeleted, entryPurged, entryUpdated } from '../../core-plugins/entries/content/content.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type Client, createClient } from '../support/client.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const typeOf = (name: string, attributes: object, options: object = { softDelete: true }) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options,
  attributes,
})

const toFolder = (onDelete: string, relation = 'manyToOne') => ({
  type: 'relation',
  relation,
  target: 'folder',
  onDelete,
})

const schemas = {
  'folder.json': typeOf('folder', { name: { type: 'string' }, parent: toFolder('CASCADE') }),
  'label.json': typeOf('label', {
    code: { type: 'string', unique: true },
    shelf: { type: 'string' },
    folder: toFolder('SET NULL'),
    folders: toFolder('SET NULL', 'manyToMany'),
  }),
  'page.json': typeOf('page', { folder: toFolder('CASCADE') }),
  'scrap.json': typeOf('scrap', { folder: toFolder('CASCADE') }, {}),
  'lock.json': typeOf('lock', { folder: toFolder('RESTRICT') }),
  'bundle.json': typeOf('bundle', { folders: toFolder('RESTRICT', 'manyToMany') }),
}

eachDatabase((database) => {
  let service: TestService

  const told: string[] = []
  const listener = definePlugin({
    name: 'listener',
    description: 'Listens to what goes',
    register({ on }) {
      on(entryDeleted, ({ contentType, entry }) => told.push(`deleted ${contentType} ${entry.id}`))
      on(entryUpdated, ({ contentType, entry }) => told.push(`updated ${contentType} ${entry.id}`))
      on(entryPurged, ({ contentType, entry }) => told.push(`purged ${contentType} ${entry.id}`))
    },
  })

  before(async () => {
    service = await startService({ database: database.name, schemas, plugins: [listener] })
  })
  after(() => service?.stop())

  const create = async (type: string, data: object): Promise<number> =>
    (await service.admin.post(`/api/content/${type}`, data)).body.data.id

  const status = async (method: 'get' | 'delete', type: string, id: number, query = '') =>
    (await service.admin[method](`/api/content/${type}/${id}${query}`)).status

  describe('an entry that goes to the trash', () => {
    it('takes along what points at it by CASCADE, each as its type has it', async () => {
      const folder = await create('folder', { name: 'outer' })
      const inner = await create('folder', { name: 'inner', parent: folder })
      const page = await create('page', { folder: inner })
      const scrap = await create('scrap', { folder: inner })
      assert.equal(await status('delete', 'folder', folder), 200)
      for (const [type, id] of [
        ['folder', inner],
        ['page', page],
      ] as const) {
        assert.equal(await status('get', type, id), 404)
        assert.equal(await status('get', type, id, '?deleted=true'), 200)
      }
      assert.equal(await status('get', 'scrap', scrap), 404)
    })

    it('ends where entries point at one another', async () => {
      const first = await create('folder', { name: 'first' })
      const second = await create('folder', { name: 'second', parent: first })
      await service.admin.put(`/api/content/folder/${first}`, { parent: second })
      assert.equal(await status('delete', 'folder', first), 200)
      assert.equal(await status('get', 'folder', second), 404)
    })

    for (const [type, field] of [
      ['lock', 'folder'],
      ['bundle', 'folders'],
    ] as const) {
      it(`stays where a ${type} points at it by RESTRICT`, async () => {
        const folder = await create('folder', { name: 'kept' })
        const page = await create('page', { folder })
        const restricting = await create(type, { [field]: type === 'lock' ? folder : [folder] })
        assert.equal(await status('delete', 'folder', folder), 409)
        assert.equal(await status('get', 'folder', folder), 200)
        assert.equal(await status('get', 'page', page), 200)
        await service.admin.put(`/api/content/${type}/${restricting}`, {
          [field]: type === 'lock' ? null : [],
        })
        assert.equal(await status('delete', 'folder', folder), 200)
      })
    }
  })

  describe('a link to what is in the trash', () => {
    const change = {
      'one by one': async (ids: number[], data: object) => {
        for (const id of ids) await service.admin.put(`/api/content/label/${id}`, data)
      },
      together: (ids: number[], data: object) =>
        service.admin.patch('/api/content/label/bulk-update', { ids, data }),
    }
    for (const [how, update] of Object.entries(change)) {
      it(`outlives a change of the others, ${how}`, async () => {
        const [left, trashed, right] = [
          await create('folder', {}),
          await create('folder', {}),
          await create('folder', {}),
        ]
        const labels = [
          await create('label', { folders: [left, trashed] }),
          await create('label', { folders: [left] }),
        ]
        const folders = () =>
          Promise.all(
            labels.map(async (id) => (await service.admin.get(`/api/content/label/${id}`)).body.data.folders),
          )
        await status('delete', 'folder', trashed)
        await update(labels, { folders: [right] })
        assert.deepEqual(await folders(), [[right], [right]])
        await service.admin.post(`/api/content/folder/${trashed}/restore`)
        assert.deepEqual(
          (await folders()).map((ids) => new Set(ids)),
          [new Set([right, trashed]), new Set([right])],
        )
      })
    }
  })

  describe('the trash', () => {
    it('shows when entries came into it', async () => {
      const id = await create('label', { code: 'when' })
      const { body: present } = await service.admin.get(`/api/content/label/${id}`)
      assert.ok(!('deleted_at' in present.data))
      await status('delete', 'label', id)
      const { body } = await service.admin.get(`/api/content/label/${id}?deleted=true`)
      assert.equal(body.data.deleted_at, body.data.updated_at)
      for (const query of ['', '&fields=code', '&fields=code,deleted_at', '&cursor=']) {
        const { body: listed } = await service.admin.get(`/api/content/label?deleted=true${query}`)
        assert.deepEqual(
          listed.data.map((entry: { deleted_at: string }) => entry.deleted_at),
          [body.data.deleted_at],
          query,
        )
      }
      assert.equal((await service.admin.post(`/api/content/label/${id}/restore`)).status, 200)
    })

    const isGone = async (type: string, id: number) => {
      assert.equal(await status('get', type, id), 404)
      assert.equal(await status('get', type, id, '?deleted=true'), 404)
      assert.equal((await service.admin.get(`/api/content/${type}/${id}/revisions`)).status, 404)
    }

    it('is passed by, or left, for good', async () => {
      const present = await create('label', { code: 'for good' })
      assert.equal(await status('delete', 'label', present, '?permanent=true'), 200)
      await isGone('label', present)
      const trashed = await create('label', { code: 'for good' })
      assert.equal(await status('delete', 'label', trashed), 200)
      assert.equal(await status('delete', 'label', trashed), 404)
      assert.equal(await status('delete', 'label', trashed, '?permanent=true'), 200)
      await isGone('label', trashed)
      assert.equal(await status('delete', 'label', trashed, '?permanent=true'), 404)
      assert.deepEqual(told.filter((line) => line.includes('label')).slice(-3), [
        `deleted label ${present}`,
        `deleted label ${trashed}`,
        `purged label ${trashed}`,
      ])
      const { body: log } = await service.admin.get('/api/admin/audit-logs?action=content.purge&limit=2')
      assert.deepEqual(
        log.data.map(({ resource }: { resource: string }) => resource),
        [`label:${trashed}`, `label:${present}`],
      )
    })

    it('is emptied by administrators only', async () => {
      const id = await create('label', { code: 'not yours' })
      const scopes = ['content:delete', 'content:read']
      const { body: made } = await service.admin.post('/api/admin/api-tokens', { name: 'deleter', scopes })
      const deleter = createClient(service.url, made.data.token)
      assert.equal((await deleter.delete(`/api/content/label/${id}?permanent=true`)).status, 403)
      assert.equal((await deleter.delete('/api/content/label/trash')).status, 403)
      assert.equal((await deleter.delete(`/api/content/label/${id}`)).status, 200)
      assert.equal(await status('get', 'label', id, '?deleted=true'), 200)
      assert.equal((await service.admin.delete('/api/content/scrap/trash')).status, 400)
    })

    it('is left for good with whatever cascades, be it in the trash itself', async () => {
      const folder = await create('folder', { name: 'gone' })
      const inTrash = await create('page', { folder })
      const present = await create('page', { folder })
      await status('delete', 'page', inTrash)
      assert.equal(await status('delete', 'folder', folder, '?permanent=true'), 200)
      for (const id of [inTrash, present]) await isGone('page', id)
      assert.deepEqual(
        told
          .filter((line) => line.includes('page'))
          .slice(-3)
          .sort(),
        [`deleted page ${inTrash}`, `purged page ${inTrash}`, `deleted page ${present}`].sort(),
      )
    })

    it('is emptied of what is old enough, and of nothing that must not be lost', async () => {
      const [old, recent, restricted] = [
        await create('folder', { name: 'old' }),
        await create('folder', { name: 'recent' }),
        await create('folder', { name: 'restricted' }),
      ]
      for (const id of [old, recent, restricted]) await status('delete', 'folder', id)
      const queries = service.kernel.get(databaseService)
      const longAgo = queries.dialect.bind('2020-01-01T00:00:00.000Z', 'datetime')
      const age = queries.prepare(
        sql`update content_folder set deleted_at = ${queries.dialect.placeholder('at', 'datetime')}
          where id in (${sql.raw(`${old},${restricted}`)})`,
      )
      await queries.transaction(async (tx) => tx.run(age, { at: longAgo }))
      const lock = await create('lock', {})
      const pointing = queries.prepare(
        sql.raw(`update content_lock set folder_id = ${restricted} where id = ${lock}`),
      )
      await queries.transaction(async (tx) => tx.run(pointing, {}))

      const { body } = await service.admin.delete('/api/content/folder/trash?olderThanDays=30')
      assert.deepEqual(body.data, { count: 1, ids: [old], hasMore: false })
      await isGone('folder', old)
      assert.equal(await status('delete', 'folder', restricted, '?permanent=true'), 409)
      await status('delete', 'lock', lock, '?permanent=true')
      const { data } = (await service.admin.delete('/api/content/folder/trash')).body
      assert.ok(data.ids.includes(recent) && data.ids.includes(restricted))
      assert.deepEqual((await service.admin.get('/api/content/folder?deleted=true')).body.data, [])
    })

    it('keeps unique values, and tells those who may see it', async () => {
      const scopes = ['content:read', 'content:write']
      const { body: made } = await service.admin.post('/api/admin/api-tokens', { name: 'writer', scopes })
      const writer = createClient(service.url, made.data.token)
      const trashed = await create('label', { code: 'kept' })
      const other = await create('label', { code: 'other' })
      await status('delete', 'label', trashed)
      for (const write of [
        (client: Client) => client.post('/api/content/label', { code: 'kept' }),
        (client: Client) => client.put(`/api/content/label/${other}`, { code: 'kept' }),
      ]) {
        const told = (await write(service.admin)).body.error
        assert.match(told.message, new RegExp(`^code: .*label ${trashed} in the trash`))
        assert.match(told.details[0].message, /in the trash/)
        const plain = (await write(writer)).body.error
        assert.equal(plain.code, 'CONFLICT')
        assert.equal(plain.message, 'code: is already taken')
      }
      const taken = await service.admin.post('/api/content/label', { code: 'other' })
      assert.equal(taken.body.error.message, 'code: is already taken')
      assert.equal((await service.admin.post(`/api/content/label/${trashed}/restore`)).status, 200)
    })
  })

  describe('an entry that loses a reference, since its target went for good', () => {
    it('has been changed, and everybody who wants to know is told', async () => {
      const [folder, other] = [await create('folder', { name: 'lost' }), await create('folder', {})]
      const one = await create('label', { folder })
      const many = await create('label', { folders: [other, folder] })
      const untouched = await create('label', { folder: other })
      const before = (await service.admin.get(`/api/content/label?filters[id][$in]=${one},${many}`)).body.data
      assert.equal(await status('delete', 'folder', folder), 200)
      assert.equal(await status('delete', 'folder', folder, '?permanent=true'), 200)
      for (const { id, updated_at: previous } of before) {
        const { data } = (await service.admin.get(`/api/content/label/${id}`)).body
        assert.deepEqual([data.folder, data.folders], [null, id === many ? [other] : []])
        assert.ok(data.updated_at > previous)
        const revisions = (await service.admin.get(`/api/content/label/${id}/revisions`)).body.data
        assert.deepEqual([revisions[0].action, revisions[0].data.folder], ['repair', null])
        const log = await service.admin.get(`/api/admin/audit-logs?resource=label:${id}&limit=1`)
        assert.equal(log.body.data[0].action, 'content.update')
        assert.ok(told.includes(`updated label ${id}`))
      }
      assert.ok(!told.includes(`updated label ${untouched}`))
    })

    it('costs no statement of its own', async () => {
      const statementsFor = async (count: number) => {
        const folder = await create('folder', {})
        for (let left = count; left > 0; left -= 1) await create('label', { folder })
        const removed = () => status('delete', 'folder', folder, '?permanent=true')
        return countStatements(service.kernel.get(databaseService), removed, 'label')
      }
      await statementsFor(2)
      assert.equal(await statementsFor(20), await statementsFor(5))
    })
  })

  it('a type without soft delete has no restoring in the API document', () => {
    const { paths } = service.kernel.get(docsService).document()
    assert.ok(Object.keys(paths).some((path) => path.endsWith('/content/page/{id}/restore')))
    assert.ok(!Object.keys(paths).some((path) => path.endsWith('/content/scrap/{id}/restore')))
  })
})
