import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { createMaintenance, type Maintenance } from '../../core-plugins/background/jobs/maintenance.ts'
import { jobsTable } from '../../core-plugins/background/jobs/tables.ts'
import { eachDatabase } from '../support/databases.ts'
import { insertRow, type TableRow } from '../support/table-rows.ts'
import { testKind } from './jobs-world.ts'
import { openQueue, type Queue } from './open-queue.ts'

const dayMs = 86_400_000
const leaseMs = 60_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

eachDatabase((engine) => {
  describe('tidying up', () => {
    const work = testKind('test.work', { maxDeaths: 3 })
    const usual = testKind('test.usual')
    let queue: Queue
    let maintenance: Maintenance

    before(async () => {
      queue = await openQueue(engine, [work, usual])
      const { database, kinds, mailboxes } = queue
      maintenance = createMaintenance({ database, kinds, mailboxes, leaseMs })
    })
    beforeEach(() => queue.database.run(queue.database.prepare(sql`delete from svc_jobs`)))
    after(() => queue.close())

    const insert = (row: TableRow) =>
      insertRow(queue.database, jobsTable.spec, {
        ...{ name: 'test.work', status: 'waiting', payload: {}, attempts: 0, max_attempts: 5, progress: 0 },
        ...{ is_cancel_requested: false, run_at: inMs(-1000), created_at: inMs(-1000), ...row },
      })
    /** A job of a process whose lease has expired. */
    const insertLost = (row: TableRow = {}) =>
      insert({ status: 'active', attempts: 1, runner: 'dead', lease_until: inMs(-1000), ...row })
    const statusesOf = async (ids: readonly number[]) =>
      Promise.all(ids.map(async (id) => (await queue.find(id)).status))

    it('gives back what a process has left, and nothing that has its lease', async () => {
      const lost = await insertLost({ started_at: inMs(-2000) })
      const own = await insertLost({ lease_until: inMs(leaseMs / 2) })
      assert.deepEqual(await maintenance.reclaim(), { waiting: 1, ended: [] })
      assert.deepEqual(await statusesOf([lost, own]), ['waiting', 'active'])
      assert.match((await queue.find(lost)).error ?? '', /the process that ran it died/)
      assert.deepEqual(await maintenance.reclaim(), { waiting: 0, ended: [] })
    })

    it('names those of which nobody was told within a lease, until somebody is', async () => {
      const failed = await insert({ status: 'failing', finished_at: inMs(-leaseMs - 1000) })
      const cancelled = await insert({ status: 'cancelling', finished_at: inMs(-leaseMs - 1000) })
      await insert({ status: 'failing', finished_at: inMs(-leaseMs / 2) })
      await insert({ status: 'failing', finished_at: inMs(-dayMs) })
      await insert({ status: 'failed', finished_at: inMs(-leaseMs - 1000) })
      assert.deepEqual(await maintenance.reclaim(), { waiting: 0, ended: [failed, cancelled] })
      await queue.store.markReported(failed)
      assert.deepEqual(await maintenance.reclaim(), { waiting: 0, ended: [cancelled] })
      await queue.store.markReported(cancelled)
      assert.deepEqual(await statusesOf([failed, cancelled]), ['failed', 'cancelled'])
      assert.deepEqual(await maintenance.reclaim(), { waiting: 0, ended: [] })
    })

    it('ends what has no attempt left, has taken too many processes down, or was to stop', async () => {
      const cases: [TableRow, string][] = [
        [{ attempts: 4 }, 'waiting'],
        [{ attempts: 5 }, 'failed'],
        [{ attempts: 6 }, 'failed'],
        [{ deaths: 1 }, 'waiting'],
        [{ deaths: 2 }, 'failed'],
        [{ is_cancel_requested: true }, 'cancelled'],
        [{ is_cancel_requested: true, attempts: 5 }, 'cancelled'],
        // Five by default, also for a kind that is no longer known.
        [{ name: 'test.usual', deaths: 3 }, 'waiting'],
        [{ name: 'test.usual', deaths: 4 }, 'failed'],
        [{ name: 'test.gone', deaths: 3 }, 'waiting'],
        [{ name: 'test.gone', deaths: 4 }, 'failed'],
      ]
      const ids: number[] = []
      for (const [row] of cases) ids.push(await insertLost(row))
      const { waiting, ended } = await maintenance.reclaim()
      const statuses = cases.map(([, status]) => status)
      assert.deepEqual(await statusesOf(ids), statuses)
      assert.equal(waiting, statuses.filter((status) => status === 'waiting').length)
      assert.deepEqual(
        [...ended].sort((left, right) => left - right),
        ids.filter((_, index) => statuses[index] !== 'waiting'),
      )
    })

    it('counts the deaths of processes from one time to the next', async () => {
      const id = await insertLost()
      const again = sql`update svc_jobs set status = 'active', lease_until = created_at`
      const outcomes = []
      for (let deaths = 1; deaths <= 3; deaths++) {
        outcomes.push(await maintenance.reclaim())
        if (deaths < 3) await queue.database.run(queue.database.prepare(again))
      }
      const back = { waiting: 1, ended: [] }
      assert.deepEqual(outcomes, [back, back, { waiting: 0, ended: [id] }])
    })

    it('leaves each job to the one process that was first to find it', async () => {
      await insertLost()
      await insertLost({ attempts: 5 })
      const { database, kinds, mailboxes } = queue
      const others = Array.from({ length: 4 }, () =>
        createMaintenance({ database, kinds, mailboxes, leaseMs }),
      )
      const found = await Promise.all(others.map((other) => other.reclaim()))
      assert.equal(
        found.reduce((sum, { waiting }) => sum + waiting, 0),
        1,
      )
      assert.equal(found.flatMap(({ ended }) => ended).length, 1)
    })

    it('lets the first held job of a mailbox go on where nothing is before it', async () => {
      const [first, second] = [
        await insert({ status: 'held', mailbox: 'a' }),
        await insert({ status: 'held', mailbox: 'a' }),
      ]
      await insert({ status: 'waiting', mailbox: 'b', run_at: inMs(dayMs) })
      const behind = await insert({ status: 'held', mailbox: 'b' })
      await insert({ status: 'active', mailbox: 'c', lease_until: inMs(leaseMs / 2) })
      const beside = await insert({ status: 'held', mailbox: 'c' })
      const before = queue.releases()
      await maintenance.reclaim()
      const statuses = await storedStatuses()
      assert.deepEqual(
        [first, second, behind, beside].map((id) => statuses.get(id)),
        ['waiting', 'held', 'held', 'held'],
      )
      assert.equal(queue.releases(), before + 1)
      await maintenance.reclaim()
      assert.equal(queue.releases(), before + 1)
    })

    it('plans anew what was planned by a clock that was set back since', async () => {
      const [hourMs, minuteMs] = [3_600_000, 60_000]
      const again = await insert({ run_at: inMs(hourMs + 5 * minuteMs), planned_at: inMs(hourMs) })
      const atOnce = await insert({ run_at: inMs(hourMs), created_at: inMs(hourMs) })
      const wanted = await insert({ run_at: inMs(hourMs), created_at: inMs(-hourMs) })
      const usual = await insert({ run_at: inMs(minuteMs), planned_at: inMs(-minuteMs) })
      assert.equal((await maintenance.reclaim()).waiting, 2)
      const minutesTo = async (id: number) =>
        Math.ceil((Date.parse((await queue.find(id)).runAt) - Date.now()) / minuteMs) + 0
      assert.deepEqual(await Promise.all([again, atOnce, wanted, usual].map(minutesTo)), [5, 0, 60, 1])
      assert.equal((await maintenance.reclaim()).waiting, 0)
    })

    it('removes finished jobs after the days that are set, failed ones after twice as many', async () => {
      const finished = (status: string, days: number) => insert({ status, finished_at: inMs(-days * dayMs) })
      const kept = [
        await finished('completed', 9.9),
        await finished('cancelled', 9.9),
        await finished('failed', 19.9),
        await insert({}),
      ]
      const gone = [
        await finished('completed', 10.1),
        await finished('cancelled', 10.1),
        await finished('failed', 20.1),
      ]
      await maintenance.prune(10)
      const left = [...(await storedStatuses()).keys()]
      assert.deepEqual(left, kept)
      assert.ok(gone.every((id) => !left.includes(id)))
    })

    it('removes them all, however many there are', async () => {
      await insert({ status: 'completed', finished_at: inMs(-2 * dayMs) })
      const copies = sql`insert into svc_jobs
        (name, status, payload, attempts, max_attempts, progress, is_cancel_requested, run_at, created_at, finished_at)
        select name, status, payload, attempts, max_attempts, progress, is_cancel_requested, run_at, created_at,
        finished_at from svc_jobs`
      for (let doublings = 0; doublings < 9; doublings++) {
        await queue.database.run(queue.database.prepare(copies))
      }
      await maintenance.prune(1)
      assert.equal((await storedStatuses()).size, 0)
    })

    async function storedStatuses(): Promise<ReadonlyMap<number, string>> {
      const { database } = queue
      const rows = await database.all(
        database.prepare<{ id: number; status: string }>(sql`select id, status from svc_jobs order by id`),
      )
      return new Map(rows.map(({ id, status }) => [Number(id), status]))
    }
  })
})
