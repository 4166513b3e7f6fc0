import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus, newAdmin, newApiToken } from '../api/auth-callers.ts'
import type { Answer } from '../support/client.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const workflow = {
  enabled: true,
  initialState: 'draft',
  states: [{ name: 'draft' }, { name: 'approved', publishable: true }],
  transitions: [{ from: 'draft', to: 'approved' }],
}
const typeFile = (name: string, options: object) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' } },
  },
})
const schemas = {
  ...typeFile('page', { draftAndPublish: true }),
  ...typeFile('article', { draftAndPublish: true, workflow }),
  ...typeFile('plain', {}),
}
const path = '/api/admin/content-releases'

eachDatabase((engine) => {
  let database: TestDatabase
  let services: TestService[]
  let service: TestService

  before(async () => {
    database = await engine.createUrl()
    const env = { SVC_JOBS_POLL_INTERVAL_MS: '50' }
    services = []
    for (let index = 0; index < 4; index += 1) {
      services.push(await startService({ database: { url: database.url }, schemas, env }))
    }
    service = services[0] as TestService
  })
  after(async () => {
    for (const each of services) await each.stop()
    await database.drop()
  })

  const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data
  const create = async (type = 'page'): Promise<number> =>
    dataOf(await service.admin.post(`/api/content/${type}`, { title: 'One' }), 201).id
  const createMany = (count: number, type = 'page') =>
    Promise.all(Array.from({ length: count }, () => create(type)))
  const release = async (input: object = {}): Promise<number> =>
    dataOf(await service.admin.post(path, { name: 'Spring', ...input }), 201).id
  const add = (id: number, entryId: number, more: object = {}) =>
    service.admin.post(`${path}/${id}/entries`, { contentType: 'page', entryId, action: 'publish', ...more })
  const publish = (id: number, by = service) => by.admin.post(`${path}/${id}/publish`)
  const read = async (id: number) => dataOf(await service.admin.get(`${path}/${id}`))
  const publishedAt = async (id: number, type = 'page'): Promise<string | null> =>
    dataOf(await service.admin.get(`/api/content/${type}/${id}`)).published_at

  describe('a release', () => {
    it('publishes and unpublishes its entries together', async () => {
      const [first, second, third] = await createMany(3)
      dataOf(await service.admin.put(`/api/content/page/${third}/publish`))
      const id = await release()
      const item = dataOf(await add(id, first ?? 0), 201)
      assert.deepEqual([item.contentType, item.entryId, item.action], ['page', first, 'publish'])
      dataOf(await add(id, second ?? 0, { action: undefined }), 201)
      dataOf(await add(id, third ?? 0, { action: 'unpublish' }), 201)
      const { entries, ...whole } = await read(id)
      assert.deepEqual([whole.status, whole.entryCount, entries.length], ['draft', 3, 3])

      const published = dataOf(await publish(id))
      assert.equal(published.status, 'published')
      assert.equal(typeof published.publishedAt, 'string')
      assert.equal(typeof (await publishedAt(first ?? 0)), 'string')
      assert.equal(typeof (await publishedAt(second ?? 0)), 'string')
      assert.equal(await publishedAt(third ?? 0), null)
      const logs = await service.admin.get(
        `/api/admin/audit-logs?resource=page:${first}&action=content.publish`,
      )
      assert.equal(logs.body.data.length, 1)
      const revisions = await service.admin.get(`/api/content/page/${first}/revisions`)
      assert.deepEqual(
        revisions.body.data.map(({ action }: { action: string }) => action),
        ['publish', 'create'],
      )
      expectStatus(await publish(id), 409)
    })

    it('changes nothing where one entry stands in the way, and says which and why', async () => {
      const [page = 0] = await createMany(1)
      const [bad = 0, good = 0] = await createMany(2, 'article')
      dataOf(await service.admin.put(`/api/content/article/${good}/workflow/transition`, { to: 'approved' }))
      const id = await release()
      for (const entryId of [good, bad]) dataOf(await add(id, entryId, { contentType: 'article' }), 201)
      dataOf(await add(id, page), 201)

      const { error } = expectStatus(await publish(id), 409).body
      assert.equal(error.code, 'NOT_PUBLISHABLE')
      assert.match(error.message, new RegExp(`article:${bad} is in the state draft`))
      const where = error.details.map(
        (detail: { path: string; code: string }) => `${detail.path} ${detail.code}`,
      )
      assert.deepEqual(where, [`article:${bad} NOT_PUBLISHABLE`])
      const failed = await read(id)
      assert.equal(failed.status, 'failed')
      assert.equal(failed.error.details[0].path, `article:${bad}`)
      assert.deepEqual([await publishedAt(page), await publishedAt(good, 'article')], [null, null])

      dataOf(await service.admin.put(`/api/content/article/${bad}/workflow/transition`, { to: 'approved' }))
      const mended = dataOf(await publish(id))
      assert.deepEqual([mended.status, mended.error], ['published', null])
      assert.equal(typeof (await publishedAt(bad, 'article')), 'string')
    })

    it('names an entry that is gone, and fails without any', async () => {
      const [kept = 0, gone = 0] = await createMany(2)
      const id = await release()
      for (const entryId of [kept, gone]) dataOf(await add(id, entryId), 201)
      dataOf(await service.admin.delete(`/api/content/page/${gone}`))
      const { error } = expectStatus(await publish(id), 409).body
      assert.match(error.message, new RegExp(`page ${gone} not found`))
      assert.equal(await publishedAt(kept), null)
      expectStatus(await publish(await release()), 409)
    })

    it('is published by one of many at the same time', async () => {
      const [entry = 0] = await createMany(1)
      const id = await release()
      dataOf(await add(id, entry), 201)
      const answers = await Promise.all([...services, ...services].map((by) => publish(id, by)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409, 409, 409])
      const { data } = (await service.admin.get(`/api/content/page/${entry}/revisions`)).body
      assert.equal(data.length, 2)
    })

    it('with many entries takes as many statements for each fifty', slow, async () => {
      // Without jobs of its own, whose statements would be counted along.
      const env = { SVC_ROLE: 'web' }
      const web = await startService({ database: { url: database.url }, schemas, env })
      const counted = web.kernel.get(databaseService)
      const statementsFor = async (count: number) => {
        const id = await release()
        for (const entryId of await createMany(count)) dataOf(await add(id, entryId), 201)
        const statements = await countStatements(counted, async () => dataOf(await publish(id, web)))
        const { data } = (await service.admin.get(`${path}/${id}`)).body
        assert.equal(data.status, 'published')
        return statements
      }
      const [some, many] = [await statementsFor(50), await statementsFor(150)]
      await web.stop()
      // Loaded, updated; revisions: read, written; audit: written. And a few of those who look at the database
      // every second or so, whoever releases what.
      const byTheClock = 6
      assert.ok(many - some <= 2 * 5 + byTheClock, `${some} for 50, ${many} for 150`)
      assert.ok(some < 25 + byTheClock, `${some} for 50`)
    })

    it('is published at its time, once, by whichever process', slow, async () => {
      const entries = await createMany(5)
      const scheduledAt = new Date(Date.now() + 3_000).toISOString()
      const id = await release({ scheduledAt })
      assert.equal((await read(id)).status, 'scheduled')
      for (const entryId of entries) dataOf(await add(id, entryId), 201)
      await until(async () => (await read(id)).status === 'published', 'the release is published')
      const moment = Date.parse((await read(id)).publishedAt)
      assert.ok(moment >= Date.parse(scheduledAt), 'not before its time')
      for (const entryId of entries) {
        const { data } = (await service.admin.get(`/api/content/page/${entryId}/revisions`)).body
        assert.equal(data.length, 2)
      }
    })

    it('is not published at a time that it does not have any more', slow, async () => {
      const [entry = 0] = await createMany(1)
      const soon = new Date(Date.now() + 3_000).toISOString()
      const id = await release({ scheduledAt: soon })
      dataOf(await add(id, entry), 201)
      const later = new Date(Date.now() + 3_600_000).toISOString()
      const changed = dataOf(await service.admin.put(`${path}/${id}`, { scheduledAt: later }))
      assert.deepEqual([changed.status, changed.scheduledAt], ['scheduled', later])
      const other = await release({ scheduledAt: soon })
      dataOf(await service.admin.delete(`${path}/${other}`))
      const jobs = async () =>
        dataOf(await service.admin.get('/api/admin/jobs?name=releases.publish&limit=100')) as {
          payload: { releaseId: number; scheduledAt: string }
          status: string
        }[]
      const statusOf = async (releaseId: number) =>
        (await jobs()).find(({ payload }) => payload.releaseId === releaseId && payload.scheduledAt === soon)
          ?.status
      await until(async () => (await statusOf(id)) === 'completed', 'the first job has run')
      await until(async () => (await statusOf(other)) === 'completed', 'the job of the deleted one has run')
      assert.equal(await publishedAt(entry), null)
      const byHand = dataOf(await service.admin.put(`${path}/${id}`, { name: 'Summer', scheduledAt: null }))
      assert.deepEqual([byHand.name, byHand.status, byHand.scheduledAt], ['Summer', 'draft', null])
    })

    it('that fails at its time says so, and so does its job', slow, async () => {
      const [bad = 0] = await createMany(1, 'article')
      const id = await release({ scheduledAt: new Date(Date.now() + 3_000).toISOString() })
      dataOf(await add(id, bad, { contentType: 'article' }), 201)
      await until(async () => (await read(id)).status === 'failed', 'the release has failed')
      assert.equal((await read(id)).error.details[0].path, `article:${bad}`)
      const failedJobs = async () =>
        dataOf(await service.admin.get('/api/admin/jobs?name=releases.publish&status=failed'))
      await until(async () => (await failedJobs()).length === 1, 'its job has failed')
    })

    it('whose publisher has died can be published again', async () => {
      const [entry = 0] = await createMany(1)
      const id = await release()
      dataOf(await add(id, entry), 201)
      const mark = (claimedAt: string) => claimedBySomebody(id, claimedAt)
      await mark(new Date().toISOString())
      assert.equal((await read(id)).status, 'publishing')
      expectStatus(await publish(id), 409)
      expectStatus(await add(id, entry), 409)
      expectStatus(await service.admin.delete(`${path}/${id}`), 409)
      await mark(new Date(Date.now() - 3_600_000).toISOString())
      const { status, error } = await read(id)
      assert.equal(status, 'failed')
      assert.match(error.message, /interrupted/)
      assert.equal(dataOf(await publish(id)).status, 'published')
    })

    it('takes entries that there are, once, and gives them back', async () => {
      const [entry = 0] = await createMany(1)
      const id = await release()
      const { id: itemId } = dataOf(await add(id, entry), 201)
      expectStatus(await add(id, entry), 409)
      expectStatus(await add(id, 999_999), 400)
      expectStatus(await add(id, 1, { contentType: 'nothing' }), 400)
      expectStatus(await add(id, 1, { contentType: 'plain' }), 400)
      expectStatus(await add(id, entry, { action: 'delete' }), 400)
      expectStatus(await add(999_999, entry), 404)
      dataOf(await service.admin.delete(`${path}/${id}/entries/${itemId}`))
      expectStatus(await service.admin.delete(`${path}/${id}/entries/${itemId}`), 404)
      assert.deepEqual((await read(id)).entries, [])
    })

    it('refuses what makes no sense', async () => {
      expectStatus(await service.admin.post(path, {}), 400)
      expectStatus(await service.admin.post(path, { name: 'x', scheduledAt: '2020-01-01T00:00:00Z' }), 400)
      expectStatus(await service.admin.post(path, { name: 'x', scheduledAt: 'tomorrow' }), 400)
      expectStatus(await service.admin.get(`${path}/999999`), 404)
      expectStatus(await publish(999_999), 404)
      const id = await release()
      expectStatus(await service.admin.put(`${path}/${id}`, await read(id)), 200)
    })

    it('is listed newest first, by status', async () => {
      const id = await release({ scheduledAt: '2090-01-01T00:00:00+01:00' })
      const { data, pagination } = (await service.admin.get(`${path}?status=scheduled&limit=1`)).body
      assert.deepEqual([data[0].id, data[0].scheduledAt], [id, '2089-12-31T23:00:00.000Z'])
      assert.ok(pagination.total >= 1)
      assert.equal((await service.admin.get(path)).body.data[0].id, id)
    })

    it('is for administrators, and for those who may publish what is in it', async () => {
      const id = await release()
      const [entry = 0] = await createMany(1)
      const permissions = { content: { page: { read: true } }, media: {} }
      const role = dataOf(await service.admin.post('/api/admin/roles', { name: 'reader', permissions }), 201)
      const reading = await newAdmin(service, role.name)
      expectStatus(await reading.client.get(path), 403)
      const reader = await newApiToken(service, ['admin:releases:read'])
      expectStatus(await reader.client.get(path), 200)
      expectStatus(await reader.client.post(path, { name: 'x' }), 403)
      const writer = await newApiToken(service, ['admin:releases:write', 'content:publish'])
      const body = { contentType: 'page', entryId: entry }
      dataOf(await writer.client.post(`${path}/${id}/entries`, body), 201)
      assert.equal(dataOf(await writer.client.post(`${path}/${id}/publish`)).status, 'published')
    })

    it('is filled by whoever may publish a type, who learns nothing of others in it', async () => {
      const pages = { page: { read: true, publish: true } }
      const input = { name: 'pages', permissions: { content: pages, media: {} } }
      const role = dataOf(await service.admin.post('/api/admin/roles', input), 201)
      const { client } = await newAdmin(service, role.name)
      const { id } = dataOf(await client.post(path, { name: 'Together' }), 201)
      const [page = 0, other = 0] = await createMany(2)
      const [secret = 0] = await createMany(1, 'article')
      const put = (by: typeof client, body: object) => by.put(`${path}/${id}/entries`, body)
      const some = { contentType: 'page', entryIds: [page, other] }
      assert.deepEqual(dataOf(await put(client, some)), { added: 2, changed: 0 })
      const unpublished = { ...some, entryIds: [other], action: 'unpublish' }
      assert.deepEqual(dataOf(await put(client, unpublished)), { added: 0, changed: 1 })
      expectStatus(await put(client, { contentType: 'article', entryIds: [secret] }), 403)
      expectStatus(await put(client, { contentType: 'article', entryIds: [999_999] }), 403)
      expectStatus(await put(client, { contentType: 'page', entryIds: [page, 999_999] }), 400)

      const whole = dataOf(await client.get(`${path}/${id}`))
      assert.deepEqual([whole.mayPublish, whole.mayDelete, whole.hidden], [true, true, 0])
      const titles = whole.entries.map(({ title, action }: { title: string; action: string }) => [
        title,
        action,
      ])
      assert.deepEqual(titles, [
        ['One', 'publish'],
        ['One', 'unpublish'],
      ])
      const { id: itemId } = dataOf(await add(id, secret, { contentType: 'article' }), 201)
      const shown = dataOf(await client.get(`${path}/${id}`))
      assert.deepEqual([shown.entries.length, shown.hidden, shown.entryCount], [2, 1, 3])
      assert.deepEqual([shown.mayPublish, shown.mayDelete], [false, false])
      expectStatus(await client.delete(`${path}/${id}/entries/${itemId}`), 404)
      for (const answer of [
        await client.post(`${path}/${id}/publish`),
        await client.put(`${path}/${id}`, { scheduledAt: '2090-01-01T00:00:00Z' }),
        await client.delete(`${path}/${id}`),
      ])
        expectStatus(answer, 403)
      assert.equal((await read(id)).status, 'draft')
      assert.equal(dataOf(await client.put(`${path}/${id}`, { name: 'Renamed' })).name, 'Renamed')

      expectStatus(await publish(id), 409)
      const failed = dataOf(await client.get(`${path}/${id}`))
      assert.deepEqual(failed.error, { message: 'it could not be published', details: [] })
      const containing = async (entry: string, by = client) =>
        dataOf(await by.get(`${path}?status=open&entry=${entry}`)).length
      assert.deepEqual([await containing(`page:${page}`), await containing(`article:${secret}`)], [1, 0])
      assert.equal(await containing(`article:${secret}`, service.admin), 1)
      expectStatus(await client.get(`${path}?entry=page`), 400)

      const check = dataOf(await client.post(`${path}/${id}/check`))
      assert.deepEqual([check.ready, check.callerLacks, check.hidden], [false, [], { count: 1, problems: 1 }])
      assert.ok(!JSON.stringify([check, failed, shown]).includes('article'))
    })

    it('tells beforehand what stops it, and what may not be meant', async () => {
      const [gone = 0, fresh = 0, timed = 0, shared = 0] = await createMany(4)
      const [bad = 0, worse = 0] = await createMany(2, 'article')
      dataOf(
        await service.admin.put(`/api/content/page/${timed}/publish`, {
          publishedAt: '2090-01-01T00:00:00Z',
        }),
      )
      const id = await release()
      const other = await release({ name: 'Other' })
      dataOf(await add(other, shared, { action: 'unpublish' }), 201)
      for (const entryId of [gone, fresh, timed, shared]) dataOf(await add(id, entryId), 201)
      for (const entryId of [bad, worse]) dataOf(await add(id, entryId, { contentType: 'article' }), 201)
      dataOf(await service.admin.delete(`/api/content/page/${gone}`))

      const named = (findings: { contentType: string; entryId: number; code: string }[]) =>
        findings.map(({ contentType, entryId, code }) => `${contentType}:${entryId} ${code}`)
      const { ready, problems, conflicts } = dataOf(await service.admin.post(`${path}/${id}/check`))
      assert.equal(ready, false)
      assert.deepEqual(named(problems), [
        `page:${gone} NOT_FOUND`,
        `article:${bad} NOT_PUBLISHABLE`,
        `article:${worse} NOT_PUBLISHABLE`,
      ])
      assert.deepEqual(named(conflicts), [`page:${timed} SCHEDULED`, `page:${shared} OTHER_RELEASE`])
      assert.deepEqual(conflicts[1].release, { id: other, name: 'Other', scheduledAt: null })
      // It was tried and undone.
      assert.equal(await publishedAt(fresh), null)
      const revisions = await service.admin.get(`/api/content/page/${fresh}/revisions`)
      assert.equal(dataOf(revisions).length, 1)
      const again = dataOf(await service.admin.post(`${path}/${other}/check`))
      assert.deepEqual(
        [again.ready, named(again.conflicts)],
        [true, [`page:${shared} NO_CHANGE`, `page:${shared} OTHER_RELEASE`]],
      )
    })
  })

  async function claimedBySomebody(id: number, claimedAt: string): Promise<void> {
    const database = service.kernel.get(databaseService)
    const moment = database.dialect.placeholder('at', 'datetime')
    const statement = database.prepare(
      sql`update svc_releases set status = 'publishing', claim = 'somebody', claimed_at = ${moment}
        where id = ${sql.raw(String(id))}`,
    )
    await database.run(statement, { at: database.dialect.bind(claimedAt, 'datetime') })
  }
})
