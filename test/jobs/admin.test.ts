import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { httpService } from '../../core-plugins/foundation/http/http.ts'
import { createService } from '../../service.ts'
import { createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject } from '../support/project.ts'
import { recordingLog } from '../support/recording-log.ts'
import { slow } from '../support/scope.ts'
import { type JobsWorld, pluginOf, startJobsWorld, testKind } from './jobs-world.ts'

const never = '2999-01-01T00:00:00.000Z'

eachDatabase(({ name: database }) => {
  describe('jobs for administrators', () => {
    const work = testKind('test.work', { maxAttempts: 1 })
    const other = testKind('test.other', { maxAttempts: 1 })
    let world: JobsWorld
    const ids: Record<string, number> = {}

    before(async () => {
      world = await startJobsWorld([work, other], { database })
      work.does((value) => {
        if (value === 'broken') throw new Error('it is broken')
        return { value }
      })
      const { jobs, inTransaction } = world
      await inTransaction(async (tx) => {
        ids.completed = await jobs.enqueue(tx, work.kind, { value: 'whole' })
        ids.failed = await jobs.enqueue(tx, work.kind, { value: 'broken' })
        ids.delayed = await jobs.enqueue(tx, other.kind, {}, { runAt: never, key: 'one', mailbox: 'm' })
        ids.waiting = await jobs.enqueue(tx, other.kind, {}, { mailbox: 'm' })
      })
      await jobs.drain()
    })
    after(() => world.stop())

    const statusesOf = async (query: string) => {
      const { status, body } = await world.admin.get(`/api/admin/jobs?${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      // The service has jobs of its own.
      return body.data
        .filter((job: { name: string }) => job.name.startsWith('test.'))
        .map((job: { id: number; status: string }) => [job.id, job.status])
    }

    it('are listed newest first, with a total', async () => {
      const { body } = await world.admin.get('/api/admin/jobs?limit=2&offset=1&name=test.other')
      assert.deepEqual(body.pagination, { total: 2, limit: 2, offset: 1, hasMore: false })
      assert.equal(body.data[0].id, ids.delayed)
      assert.equal(body.data[0].key, 'one')
      assert.equal(body.data[0].run_at, never)
      assert.equal(body.data[0].started_at, null)
    })

    it('are found by status and name', async () => {
      for (const status of ['completed', 'failed', 'delayed', 'waiting']) {
        assert.deepEqual(await statusesOf(`status=${status}`), [[ids[status], status]])
      }
      assert.deepEqual(await statusesOf('status=active'), [])
      assert.deepEqual(await statusesOf('status=failed&name=test.other'), [])
      assert.equal((await world.admin.get('/api/admin/jobs?status=nonsense')).status, 400)
      assert.equal((await world.admin.get('/api/admin/jobs?limit=-1')).status, 400)
    })

    it('tell what became of them', async () => {
      const whole = (await world.admin.get(`/api/admin/jobs/${ids.completed}`)).body.data
      assert.deepEqual(whole.result, { value: 'whole' })
      assert.equal(whole.attempts, 1)
      const broken = (await world.admin.get(`/api/admin/jobs/${ids.failed}`)).body.data
      assert.equal(broken.error, 'it is broken')
      assert.equal((await world.admin.get('/api/admin/jobs/999999')).status, 404)
    })

    it('are counted', async () => {
      const { body } = await world.admin.get('/api/admin/jobs/stats')
      assert.deepEqual(body.data.byName['test.other'], {
        waiting: 1,
        delayed: 1,
        active: 0,
        completed: 0,
        failed: 0,
        cancelled: 0,
      })
      assert.equal(body.data.byStatus.failed, 1)
    })

    it('can be retried once they have failed, and only then', async () => {
      work.does(() => 'mended')
      const { status, body } = await world.admin.post(`/api/admin/jobs/${ids.failed}/retry`)
      assert.equal(status, 200)
      assert.equal(body.data.id, ids.failed)
      await world.jobs.drain()
      const again = await world.admin.post(`/api/admin/jobs/${ids.failed}/retry`)
      assert.equal(again.status, 409)
      assert.match(again.body.error.message, /is completed and cannot be retried/)
      assert.equal((await world.admin.post('/api/admin/jobs/999999/retry')).status, 404)
    })

    it('cannot be retried while another job has their key', async () => {
      assert.equal(
        (await world.admin.post(`/api/admin/jobs/${ids.delayed}/cancel`)).body.data.status,
        'cancelled',
      )
      const twin = await world.inTransaction((tx) =>
        world.jobs.enqueue(tx, other.kind, {}, { runAt: never, key: 'one' }),
      )
      assert.notEqual(twin, ids.delayed)
      const { status, body } = await world.admin.post(`/api/admin/jobs/${ids.delayed}/retry`)
      assert.equal(status, 409)
      assert.match(body.error.message, /same key/)
    })
  })
})

describe('roles of processes', () => {
  it('web makes jobs and runs none; runner runs them and answers probes only', slow, async () => {
    const kinds = [0, 1].map(() => testKind('test.work'))
    const ran: string[] = []
    const [webKind, workerKind] = kinds as [(typeof kinds)[0], (typeof kinds)[0]]
    webKind.does(() => void ran.push('web'))
    workerKind.does(() => void ran.push('worker'))
    const web = await startJobsWorld([webKind], { env: { SVC_ROLE: 'web' } })
    // The web process alone has all the time that another one takes to start.
    const before = await web.inTransaction((tx) => web.jobs.enqueue(tx, webKind.kind, {}))
    const project = await createProject({
      database: { url: `sqlite:${web.workingDirectory}/data/content.db` },
      schemas: {},
      env: { SVC_ROLE: 'worker' },
    })
    const { env, workingDirectory } = project
    const plugins = [pluginOf([workerKind])]
    const runner = await createService({
      env,
      workingDirectory,
      plugins,
      log: { ...recordingLog().log, level: 'info' },
    })
    await runner.start()
    const { get } = createClient(runner.get(httpService).url)
    assert.equal((await web.jobs.finished(before)).status, 'completed')
    const after = await web.inTransaction((tx) => web.jobs.enqueue(tx, webKind.kind, {}))
    assert.equal((await web.jobs.finished(after)).status, 'completed')
    assert.deepEqual(ran, ['worker', 'worker'])
    assert.equal((await get('/api/readyz')).status, 200)
    assert.equal((await get('/api/admin/jobs')).status, 404)
    await runner.stop()
    await project.remove()
    await web.stop()
  })
})
