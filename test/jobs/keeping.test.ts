import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it, mock } from 'node:test'
import { sql } from 'drizzle-orm'
import { type Attempt, startAttempt } from '../../core-plugins/jobs/attempt.ts'
import { type ClaimedJob, createClaims } from '../../core-plugins/jobs/claims.ts'
import type { JobKind } from '../../core-plugins/jobs/jobs.ts'
import { createLeases } from '../../core-plugins/jobs/leases.ts'
import { createOutcomes, type Outcome } from '../../core-plugins/jobs/outcomes.ts'
import { jobsTable } from '../../core-plugins/jobs/tables.ts'
import { eachDatabase } from '../support/databases.ts'
import { recordingLog } from '../support/recording-log.ts'
import { selectRows } from '../support/table-rows.ts'
import { until } from '../support/until.ts'
import { testKind, type Work } from './jobs-world.ts'
import { openQueue, type Queue } from './open-queue.ts'

const leaseMs = 60_000
const worker = 'me'

eachDatabase((engine) => {
  describe('what a worker writes of its jobs', () => {
    const work = testKind('test.work')
    const { log, lines } = recordingLog()
    let queue: Queue

    before(async () => {
      queue = await openQueue(engine, [work])
    })
    beforeEach(() => queue.database.run(queue.database.prepare(sql`delete from svc_jobs`)))
    after(() => queue.close())

    const own = (name = worker) => ({
      ...{ database: queue.database, mailboxes: queue.mailboxes, worker: name, leaseMs, log },
    })
    /** Takes what is due, as long as `accepts` says so. */
    async function claim(by = worker, accepts: (job: ClaimedJob) => boolean = () => true) {
      const request = { names: queue.kinds.names, fullLanes: [], mostDeaths: 100, limit: 1000 }
      return createClaims(own(by)).claim({ ...request, admission: () => accepts })
    }
    async function claimed(count: number): Promise<readonly ClaimedJob[]> {
      for (let made = 0; made < count; made++) await queue.enqueue(work)
      const { jobs } = await claim()
      assert.equal(jobs.length, count)
      return jobs
    }
    const rows = () => selectRows(queue.database, jobsTable)
    const row = async (id: number) => (await rows()).find((each) => each.id === id) ?? {}
    const change = (assignments: string) =>
      queue.database.run(queue.database.prepare(sql`update svc_jobs set ${sql.raw(assignments)}`))
    const leaseOf = async (id: number) => Date.parse(String((await row(id)).lease_until)) - Date.now()

    describe('when it claims them', () => {
      it('takes those that are accepted, each for one worker, and counts the attempt', async () => {
        for (let count = 0; count < 3; count++) await queue.enqueue(work, count)
        const first = await claim('me', ({ payload }) => (payload as { value: number }).value !== 1)
        assert.deepEqual(
          first.jobs.map(({ payload, attempts }) => ({ payload, attempts })),
          [0, 2].map((value) => ({ payload: { value }, attempts: 1 })),
        )
        const second = await claim('you')
        assert.deepEqual(
          second.jobs.map(({ payload }) => payload),
          [{ value: 1 }],
        )
        assert.deepEqual((await claim()).jobs, [])
        for (const { worker, status, attempts, is_cancel_requested } of await rows()) {
          assert.deepEqual([status, attempts, is_cancel_requested], ['active', 1, false])
          assert.ok(worker === 'me' || worker === 'you')
        }
        const leftMs = await leaseOf(first.jobs[0]?.id ?? 0)
        assert.ok(leftMs > leaseMs / 2 && leftMs <= leaseMs, String(leftMs))
      })

      it('holds those that others of their mailbox are before, and tells how many', async () => {
        const ids: number[] = []
        for (let count = 0; count < 3; count++) {
          ids.push(await queue.enqueue(work, count, { mailbox: 'm' }))
        }
        const { jobs, held } = await claim()
        assert.deepEqual([jobs.map(({ id }) => id), held], [ids.slice(0, 1), 2])
        assert.deepEqual(
          (await rows()).map(({ status }) => status),
          ['active', 'held', 'held'],
        )
        const [job] = jobs
        assert.ok(job)
        assert.equal(await createOutcomes(own()).record(job, { status: 'completed', result: null }), true)
        assert.deepEqual(
          (await rows()).map(({ status }) => status),
          ['completed', 'waiting', 'held'],
        )
      })

      it('knows when the next one is due', async () => {
        const claims = createClaims(own())
        assert.equal(await claims.nextRunAt(['test.work']), undefined)
        const runAt = '2999-01-01T00:00:00.000Z'
        await queue.enqueue(work, 1, { runAt })
        assert.equal(await claims.nextRunAt(['test.work']), runAt)
        assert.equal(await claims.nextRunAt(['test.other']), undefined)
      })
    })

    describe('when they end', () => {
      const record = (job: ClaimedJob | undefined, outcome: Outcome, by = worker) => {
        assert.ok(job)
        return createOutcomes(own(by)).record(job, outcome)
      }

      it('says how, and lets go of them', async () => {
        const jobs = await claimed(6)
        const outcomes: Outcome[] = [
          { status: 'completed', result: null },
          { status: 'completed', result: { a: 1 } },
          { status: 'failed', error: 'broken' },
          { status: 'cancelled', error: 'stopped' },
          { status: 'waiting', error: 'not yet', runAt: '2999-01-01T00:00:00.000Z' },
          { status: 'handedBack' },
        ]
        const { record } = createOutcomes(own())
        const answers = await Promise.all(
          outcomes.map((outcome, index) => record(jobs[index] as ClaimedJob, outcome)),
        )
        assert.deepEqual(
          answers,
          outcomes.map(() => true),
        )
        const written = await rows()
        assert.deepEqual(
          written.map(({ status, attempts, error, progress }) => [status, attempts, error, progress]),
          [
            ['completed', 1, null, 100],
            ['completed', 1, null, 100],
            ['failed', 1, 'broken', 0],
            ['cancelled', 1, 'stopped', 0],
            ['waiting', 1, 'not yet', 0],
            ['waiting', 0, null, 0],
          ],
        )
        assert.deepEqual(
          written.map(({ finished_at }) => finished_at !== null),
          [true, true, true, true, false, false],
        )
        assert.deepEqual(written[1]?.result, { a: 1 })
        assert.equal(written[4]?.run_at, '2999-01-01T00:00:00.000Z')
        assert.ok(Date.parse(String(written[5]?.run_at)) <= Date.now())
        for (const { worker, lease_until } of written) assert.deepEqual([worker, lease_until], [null, null])
      })

      it('forgets what an earlier attempt has said', async () => {
        await queue.enqueue(work)
        await change(`attempts = 1, error = 'not yet'`)
        const [job] = (await claim()).jobs
        assert.equal(await record(job, { status: 'completed', result: null }), true)
        const [written] = await rows()
        assert.deepEqual([written?.status, written?.error, written?.attempts], ['completed', null, 2])
      })

      it('changes nothing of a job that is no longer its own', async () => {
        const jobs = await claimed(3)
        const lost: Outcome = { status: 'failed', error: 'mine' }
        assert.equal(await record(jobs[0], lost, 'another'), false)
        await record(jobs[0], { status: 'completed', result: null }, 'another')
        await change('attempts = 2')
        assert.equal(await record(jobs[1], { status: 'completed', result: 1 }), false)
        await record(jobs[2], { status: 'completed', result: null })
        for (const { status, error } of await rows()) assert.deepEqual([status, error], ['active', null])
      })

      it('tells of each whether it was, however many end together', async () => {
        const jobs = await claimed(450)
        await change(`worker = 'another' where id = ${jobs[449]?.id}`)
        const { record } = createOutcomes(own())
        const answers = await Promise.all(
          jobs.map((job, index) =>
            record(job, { status: 'completed', result: index % 3 === 0 ? null : index }),
          ),
        )
        assert.deepEqual(
          answers.flatMap((isOurs, index) => (isOurs ? [] : [index])),
          [449],
        )
        assert.equal((await rows()).filter(({ status }) => status === 'completed').length, 449)
      })

      it('lets the next of the mailbox go on, unless the job will be tried again', async () => {
        const runAt = '2999-01-01T00:00:00.000Z'
        const cases: [Outcome, string][] = [
          [{ status: 'completed', result: 1 }, 'waiting'],
          [{ status: 'failed', error: 'x' }, 'waiting'],
          [{ status: 'waiting', error: 'x', runAt }, 'held'],
        ]
        for (const [outcome, next] of cases) {
          await change(`status = 'completed', running_mailbox = null`)
          await queue.enqueue(work, 1, { mailbox: 'm' })
          const second = await queue.enqueue(work, 2, { mailbox: 'm' })
          const [job] = (await claim()).jobs
          const releases = queue.releases()
          await record(job, outcome)
          assert.equal((await row(second)).status, next)
          assert.equal(queue.releases() - releases, next === 'waiting' ? 1 : 0)
        }
      })

      it('tries again while the database is away', async () => {
        const [job] = await claimed(1)
        const rename = (from: string, to: string) =>
          queue.database.run(
            queue.database.prepare(sql`alter table ${sql.identifier(from)} rename to ${sql.identifier(to)}`),
          )
        await rename('svc_jobs', 'away')
        const recorded = record(job, { status: 'failed', error: 'broken' })
        await until(() => lines.some(({ level, jobs }) => level === 'error' && jobs === 1))
        await rename('away', 'svc_jobs')
        assert.equal(await recorded, true)
        assert.equal((await rows())[0]?.status, 'failed')
      })
    })

    describe('while they run', () => {
      const untilStopped: Work = (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      let running: Map<number, Attempt>

      beforeEach(() => {
        running = new Map()
      })

      async function startAll(count: number): Promise<readonly ClaimedJob[]> {
        const jobs = await claimed(count)
        for (const job of jobs) {
          running.set(job.id, startAttempt(job, work.kind as JobKind, queue.kinds, log))
        }
        await new Promise(setImmediate)
        return jobs
      }

      it('stops those that were cancelled or given to others, and no other', async () => {
        work.does(untilStopped)
        const [cancelled, lost, ended, kept] = await startAll(4)
        assert.ok(cancelled && lost && ended && kept)
        await queue.store.cancel(cancelled.id)
        await change(`worker = 'another' where id in (${lost.id}, ${ended.id})`)
        const over = running.get(ended.id)
        const isOver = { stopped: false }
        void over?.ended.then(() => {
          isOver.stopped = true
        })
        const attempts = new Map(running)
        const leases = createLeases(own())
        const tending = leases.tend(running)
        // What ends while the database answers is nobody's business any more.
        running.delete(ended.id)
        await tending
        assert.equal((await attempts.get(cancelled.id)?.ended)?.status, 'cancelled')
        assert.equal(await attempts.get(lost.id)?.ended, undefined)
        assert.equal(isOver.stopped, false)
        const keptAttempt = attempts.get(kept.id)
        keptAttempt?.stop('shutdown')
        assert.deepEqual(await keptAttempt?.ended, { status: 'handedBack' })
        over?.stop('shutdown')
      })

      it('writes their progress down', async () => {
        work.does(async (_, context) => {
          context.reportProgress(30)
          await untilStopped(_, context)
        })
        const [job, other] = await startAll(2)
        assert.ok(job && other)
        await change(`worker = 'another' where id = ${other.id}`)
        await createLeases(own()).tend(running)
        assert.equal((await row(job.id)).progress, 30)
        assert.equal((await row(other.id)).progress, 0)
        for (const attempt of running.values()) attempt.stop('shutdown')
      })

      it('renews their leases each third of one', async () => {
        work.does(untilStopped)
        const [job] = await startAll(1)
        assert.ok(job)
        const leases = createLeases(own())
        let nowMs = 1_000
        const clock = mock.method(performance, 'now', () => nowMs)
        /** Whether the lease is another one after the time has passed. */
        const isRenewed = async (afterMs: number) => {
          await change(`lease_until = created_at`)
          nowMs += afterMs
          await leases.tend(running)
          const leftMs = await leaseOf(job.id)
          assert.ok(leftMs <= leaseMs)
          return leftMs > leaseMs / 2
        }
        try {
          assert.equal(await isRenewed(0), true)
          assert.equal(await isRenewed(leaseMs / 3 - 1), false)
          assert.equal(await isRenewed(1), true)
          assert.equal(await isRenewed(1), false)
        } finally {
          clock.mock.restore()
          for (const attempt of running.values()) attempt.stop('shutdown')
        }
      })
    })
  })
})
