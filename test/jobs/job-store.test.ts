import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { jobMetrics } from '../../core-plugins/background/jobs/job-metrics.ts'
import type { JobStatus, Jobs } from '../../core-plugins/background/jobs/jobs.ts'
import { jobsTable } from '../../core-plugins/background/jobs/tables.ts'
import { eachDatabase } from '../support/databases.ts'
import { insertRow, type TableRow } from '../support/table-rows.ts'
import { testKind } from './jobs-world.ts'
import { openQueue, type Queue } from './open-queue.ts'

const never = '2999-01-01T00:00:00.000Z'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

eachDatabase((engine) => {
  describe('the jobs that there are', () => {
    let queue: Queue
    const ids: Record<string, number> = {}

    before(async () => {
      queue = await openQueue(engine, [testKind('test.work'), testKind('test.other')])
      const insert = (row: TableRow) =>
        insertRow(queue.database, jobsTable.spec, {
          ...{ name: 'test.work', payload: {}, attempts: 0, max_attempts: 5, progress: 0 },
          ...{ is_cancel_requested: false, run_at: inMs(-5_000), created_at: inMs(-5_000), ...row },
        })
      ids.waiting = await insert({ status: 'waiting' })
      ids.held = await insert({ status: 'held', mailbox: 'm', run_at: inMs(-90_000) })
      ids.delayed = await insert({ status: 'waiting', run_at: never })
      ids.active = await insert({ status: 'active', runner: 'me', attempts: 1 })
      ids.failed = await insert({ status: 'failed', attempts: 5, error: 'broken', progress: 40, deaths: 2 })
      ids.other = await insert({ name: 'test.other', status: 'completed', progress: 100 })
    })
    after(() => queue.close())

    const range = { limit: 10, offset: 0 }
    async function listed(filter: { status?: JobStatus; name?: string } = {}, page = range) {
      const { jobs, total } = await queue.store.list(filter, page)
      return { ids: jobs.map(({ id }) => id), total }
    }
    const newestFirst = () => Object.values(ids).sort((left, right) => right - left)

    it('are listed newest first, page by page', async () => {
      assert.deepEqual(await listed(), { ids: newestFirst(), total: 6 })
      assert.deepEqual(await listed({}, { limit: 2, offset: 3 }), {
        ids: newestFirst().slice(3, 5),
        total: 6,
      })
    })

    it('are found by status and by kind, and by both', async () => {
      const found: [Parameters<typeof listed>[0], (string | undefined)[]][] = [
        [{ status: 'waiting' }, ['held', 'waiting']],
        [{ status: 'delayed' }, ['delayed']],
        [{ status: 'active' }, ['active']],
        [{ status: 'failed' }, ['failed']],
        [{ status: 'completed' }, ['other']],
        [{ status: 'cancelled' }, []],
        [{ name: 'test.other' }, ['other']],
        [{ name: 'test.none' }, []],
        [{ name: 'test.work', status: 'failed' }, ['failed']],
        [{ name: 'test.other', status: 'failed' }, []],
      ]
      for (const [filter, names] of found) {
        const expected = names.map((name) => ids[name ?? ''])
        assert.deepEqual(await listed(filter), { ids: expected, total: expected.length })
      }
      const many = await queue.store.findMany([ids.held ?? 0, ids.delayed ?? 0, 999_999])
      assert.deepEqual(
        many.map(({ id, status }) => [id, status]).sort(),
        [
          [ids.held, 'waiting'],
          [ids.delayed, 'delayed'],
        ].sort(),
      )
    })

    it('are counted, with how long the oldest has been due', async () => {
      const { byStatus, byName, lagMs } = await queue.store.stats()
      const none = { waiting: 0, delayed: 0, active: 0, completed: 0, failed: 0, cancelled: 0 }
      const ofWork = { ...none, waiting: 2, delayed: 1, active: 1, failed: 1 }
      assert.deepEqual(byName, { 'test.work': ofWork, 'test.other': { ...none, completed: 1 } })
      assert.deepEqual(byStatus, { ...ofWork, completed: 1 })
      // Held jobs wait for other jobs, not for a runner.
      assert.ok(lagMs >= 5_000 && lagMs < 65_000, String(lagMs))
    })

    it('are measured', async () => {
      const sources = jobMetrics({ stats: () => queue.store.stats() } as Jobs)
      const [counts, lag] = await Promise.all(sources.map(({ read }) => read()))
      assert.equal(counts?.length, 2 * 6)
      const measured = (kind: string, status: string) =>
        counts?.find(({ labels }) => labels?.kind === kind && labels.status === status)?.value
      assert.deepEqual([measured('test.work', 'waiting'), measured('test.other', 'completed')], [2, 1])
      const seconds = lag?.[0]?.value ?? 0
      assert.ok(seconds >= 5 && seconds < 65, String(seconds))
    })

    it('are made to wait again as if they were new, if they have failed', async () => {
      const { store } = queue
      const again = await store.retry(ids.failed ?? 0)
      const { status, attempts, error, progress, finishedAt } = again
      assert.deepEqual([status, attempts, error, progress, finishedAt], ['waiting', 0, null, 0, null])
      assert.ok(Date.parse(again.runAt) > Date.now() - 60_000)
      const columns = sql`select deaths, is_cancel_requested as asked from svc_jobs where id = ${ids.failed}`
      const row = await queue.database.get(
        queue.database.prepare<{ deaths: unknown; asked: unknown }>(columns),
      )
      assert.deepEqual([row?.deaths, Boolean(row?.asked)], [null, false])
      for (const name of ['failed', 'active', 'other', 'held']) {
        await assert.rejects(store.retry(ids[name] ?? 0), { code: 'CONFLICT' }, name)
      }
      await assert.rejects(store.retry(999_999), { code: 'NOT_FOUND' })
    })

    it('are cancelled at once while they wait, and asked to stop while they run', async () => {
      const { store } = queue
      assert.equal((await store.cancel(ids.active ?? 0)).status, 'active')
      const asked = sql`select id from svc_jobs where is_cancel_requested = ${sql.raw(engine.name === 'sqlite' ? '1' : 'true')}`
      const found = await queue.database.all(queue.database.prepare<{ id: number }>(asked))
      assert.deepEqual(
        found.map(({ id }) => Number(id)),
        [ids.active],
      )
      for (const name of ['held', 'delayed', 'waiting']) {
        const { status, finishedAt } = await store.cancel(ids[name] ?? 0)
        assert.equal(status, 'cancelled')
        assert.ok(finishedAt !== null)
      }
      await assert.rejects(store.cancel(ids.waiting ?? 0), { code: 'CONFLICT' })
      await assert.rejects(store.cancel(ids.other ?? 0), { code: 'CONFLICT' })
      await assert.rejects(store.cancel(999_999), { code: 'NOT_FOUND' })
    })

    it('keep nobody waiting behind one that was cancelled', async () => {
      const kind = testKind('test.work')
      const options = { mailbox: 'n', runAt: never }
      const first = await queue.enqueue(kind, 1, options)
      const second = await queue.enqueue(kind, 2, { mailbox: 'n' })
      await queue.database.run(
        queue.database.prepare(sql`update svc_jobs set status = 'held' where id = ${second}`),
      )
      await queue.store.cancel(first)
      const { jobs } = await queue.store.list({ status: 'waiting' }, range)
      assert.ok(jobs.some(({ id }) => id === second))
      assert.equal(queue.releases(), 1)
    })
  })
})
