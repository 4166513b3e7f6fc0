import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Caller, expectStatus, newAdmin, newApiToken, problemsOf } from '../api/auth-callers.ts'
import type { Answer, Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const typeFile = (name: string, options: object) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' } },
  },
})
const schemas = {
  ...typeFile('page', { draftAndPublish: true, draftOverlay: true, softDelete: true }),
  ...typeFile('plain', {}),
}
const later = (number: number) => `2100-01-0${number}T00:00:00.000Z`

eachDatabase((engine) => {
  let service: TestService
  let other: TestService | undefined
  let drop: () => Promise<void>
  let publisher: Caller

  before(async () => {
    const database = await engine.createUrl()
    drop = () => database.drop()
    const options = { database: { url: database.url }, schemas, env: { SVC_JOBS_POLL_INTERVAL_MS: '50' } }
    service = await startService(options)
    other = await startService(options)
    const permissions = { content: { page: { read: true, publish: true, delete: true } }, media: {} }
    const made = await service.admin.post('/api/admin/roles', { name: 'publisher', permissions })
    publisher = await newAdmin(service, expectStatus(made, 201).body.data.name)
  })
  after(async () => {
    await service.stop()
    await other?.stop()
    await drop()
  })

  const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data
  const create = async (): Promise<number> =>
    dataOf(await service.admin.post('/api/content/page', { title: 'One' }), 201).id
  const put = (id: number, what: string, body: object = {}, client: Client = service.admin) =>
    client.put(`/api/content/page/${id}/${what}`, body)
  const timeOf = async (id: number): Promise<string | null> =>
    dataOf(await service.admin.get(`/api/content/page/${id}?meta=true`))._meta.unpublish_at
  const publishedAt = async (id: number): Promise<string | null> =>
    dataOf(await service.admin.get(`/api/content/page/${id}`)).published_at
  const soon = () => new Date(Date.now() + 1_500).toISOString()

  describe('the time until which an entry is public', () => {
    it('is set with the publication or alone, shown, and taken away', async () => {
      const id = await create()
      dataOf(await put(id, 'publish', { unpublishAt: later(2) }))
      assert.equal(await timeOf(id), later(2))
      const etag = (await service.admin.get(`/api/content/page/${id}`)).headers.get('etag')
      assert.deepEqual(dataOf(await put(id, 'unpublish-at', { unpublishAt: later(3) })), {
        unpublishAt: later(3),
      })
      assert.equal((await service.admin.get(`/api/content/page/${id}`)).headers.get('etag'), etag)
      // Publishing again leaves it as it is, unless it says otherwise.
      dataOf(await put(id, 'publish'))
      assert.equal(await timeOf(id), later(3))
      dataOf(await put(id, 'publish', { unpublishAt: null }))
      assert.equal(await timeOf(id), null)
      dataOf(await put(id, 'unpublish-at', { unpublishAt: later(3) }))
      dataOf(await put(id, 'unpublish'))
      assert.equal(await timeOf(id), null)
      const logs = await service.admin.get(
        `/api/admin/audit-logs?resource=page:${id}&action=content.unpublishAt`,
      )
      assert.equal(dataOf(logs).length, 4)
    })

    it('is refused where it makes no sense', async () => {
      const id = await create()
      const problem = async (what: string, body: object) => {
        const [[path, code] = []] = Object.entries(problemsOf(await put(id, what, body)))
        return `${path} ${code}`
      }
      assert.equal(await problem('publish', { unpublishAt: '2020-01-01T00:00:00Z' }), 'unpublishAt past')
      assert.equal(await problem('unpublish-at', { unpublishAt: 'tomorrow' }), 'unpublishAt format')
      const times = { publishedAt: later(3), unpublishAt: later(2) }
      assert.equal(await problem('publish', times), 'unpublishAt order')
      assert.equal(await publishedAt(id), null)
      dataOf(await put(id, 'publish', { publishedAt: later(1), unpublishAt: later(2) }))
      assert.equal(await problem('publish', { publishedAt: later(3) }), 'unpublishAt order')
      assert.equal(await problem('unpublish-at', { unpublishAt: later(1) }), 'unpublishAt order')
      assert.equal(await publishedAt(id), later(1))
      expectStatus(await put(999_999, 'unpublish-at', { unpublishAt: later(1) }), 404)
      const { id: plain } = dataOf(await service.admin.post('/api/content/plain', { title: 'x' }), 201)
      const refused = await service.admin.put(`/api/content/plain/${plain}/unpublish-at`, {
        unpublishAt: later(1),
      })
      expectStatus(refused, 400)
    })

    it('takes the right to publish', async () => {
      const id = await create()
      const writer = await newApiToken(service, ['content:write'])
      expectStatus(await put(id, 'unpublish-at', { unpublishAt: later(1) }, writer.client), 403)
      expectStatus(await put(id, 'unpublish-at', { unpublishAt: later(1) }, service), 401)
      dataOf(await put(id, 'unpublish-at', { unpublishAt: later(1) }, publisher.client))
      const { _meta } = dataOf(await publisher.client.get(`/api/content/page/${id}?meta=true`))
      assert.equal(_meta.unpublish_at, later(1))
    })

    it('ends the publication, once, by whichever process, and leaves the draft beside it', slow, async () => {
      const ids = await Promise.all([create(), create(), create()])
      for (const id of ids) dataOf(await put(id, 'publish', { unpublishAt: soon() }, publisher.client))
      const [first, trashed, postponed] = ids as [number, number, number]
      expectStatus(await service.admin.put(`/api/content/page/${first}`, { title: 'Draft' }), 200)
      expectStatus(await service.admin.delete(`/api/content/page/${trashed}`), 200)
      dataOf(await put(postponed, 'unpublish-at', { unpublishAt: later(1) }))
      await until(async () => (await publishedAt(first)) === null, 'the first is not public any more')
      const done = async () =>
        dataOf(await service.admin.get('/api/admin/jobs?name=content.unpublish&status=completed'))
      await until(async () => (await done()).length >= 3, 'all three jobs have run')
      assert.equal(await timeOf(first), null)
      assert.equal(typeof (await publishedAt(postponed)), 'string')
      const draft = dataOf(await service.admin.get(`/api/content/page/${first}?draft=true`))
      assert.deepEqual([draft.title, draft.has_draft], ['Draft', true])
      const revisions = dataOf(await service.admin.get(`/api/content/page/${first}/revisions`))
      const actions = revisions.map(({ action }: { action: string }) => action)
      assert.deepEqual(actions, ['unpublish', 'draft', 'publish', 'create'])
      // What was to end while it was in the trash does not come back to the public.
      dataOf(await service.admin.post(`/api/content/page/${trashed}/restore`))
      assert.deepEqual([await publishedAt(trashed), await timeOf(trashed)], [null, null])
    })

    it('is carried out with the rights that whoever set it has by then', slow, async () => {
      const leaver = await newAdmin(service, 'editor')
      const id = await create()
      dataOf(await put(id, 'publish', { unpublishAt: soon() }, leaver.client))
      expectStatus(await service.admin.put(`/api/admin/users/${leaver.id}`, { blocked: true }), 200)
      const failed = async () =>
        dataOf(await service.admin.get('/api/admin/jobs?name=content.unpublish&status=failed'))
      await until(async () => (await failed()).length === 1, 'the job has failed')
      assert.equal(typeof (await publishedAt(id)), 'string')
      // Whoever publishes it after that time says that it is to be public.
      dataOf(await put(id, 'publish'))
      assert.equal(await timeOf(id), null)
    })

    it('is refused for another version of the entry than the one that is named', async () => {
      const id = await create()
      const read = `/api/content/page/${id}`
      const setFor = (etag: string) =>
        service.admin.put(
          `${read}/unpublish-at`,
          { unpublishAt: later(1) },
          { headers: { 'if-match': etag } },
        )
      const etagOf = async (query = '') => (await service.admin.get(read + query)).headers.get('etag') ?? ''
      const first = await etagOf()
      dataOf(await put(id, 'publish'))
      expectStatus(await setFor(first), 412)
      expectStatus(await setFor(await etagOf()), 200)
      expectStatus(await service.admin.put(read, { title: 'Draft' }), 200)
      expectStatus(await setFor(await etagOf()), 412)
      expectStatus(await setFor(await etagOf('?draft=true')), 200)
    })

    it('is set by GraphQL, too', async () => {
      const id = await create()
      const query = `mutation { publishPage(id: ${id}, unpublishAt: "${later(4)}") { data { id } } }`
      expectStatus(await service.admin.post('/api/graphql', { query }), 200)
      assert.equal(await timeOf(id), later(4))
    })

    it('is in backups, and carried out by the service itself after a restore', slow, async () => {
      // Which would look for the file in its own folder.
      await other?.stop()
      other = undefined
      const leaver = await newAdmin(service, 'editor')
      const [id, second] = [await create(), await create()]
      const unpublishAt = soon()
      dataOf(await put(id, 'publish', { unpublishAt }, leaver.client))
      dataOf(await put(second, 'publish', { unpublishAt: later(1) }, leaver.client))
      const backup = dataOf(await service.admin.post('/api/admin/backups', { name: 'times' }), 201)
      expectStatus(await service.admin.put(`/api/admin/users/${leaver.id}`, { blocked: true }), 200)
      for (const each of [id, second])
        expectStatus(await service.admin.delete(`/api/content/page/${each}?permanent=true`), 200)
      await until(async () => unpublishAt < new Date().toISOString(), 'its time is over')
      expectStatus(
        await service.admin.post(`/api/admin/backups/${backup.id}/restore`, { dryRun: false }),
        200,
      )
      assert.equal(await timeOf(second), later(1))
      await until(async () => (await publishedAt(id)) === null, 'it is not public any more')
    })
  })
})
