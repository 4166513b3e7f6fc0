import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { type ClaimedJob, createClaims } from '../../core-plugins/background/jobs/claims.ts'
import { createOutcomes, type Outcome } from '../../core-plugins/background/jobs/outcomes.ts'
import { isUniqueViolation } from '../../core-plugins/foundation/database/database.ts'
import { eachDatabase } from '../support/databases.ts'
import { recordingLog } from '../support/recording-log.ts'
import { until } from '../support/until.ts'
import {
  change,
  claim,
  claimNew,
  leaseLeft,
  leaseMs,
  removeAll,
  rowOf,
  rowsOf,
  runnerOf,
} from './claimed-jobs.ts'
import { testKind } from './jobs-world.ts'
import { openQueue, type Queue } from './open-queue.ts'

eachDatabase((engine) => {
  describe('what a runner writes of its jobs', () => {
    const work = testKind('test.work')
    const { log, lines } = recordingLog()
    let queue: Queue

    before(async () => {
      queue = await openQueue(engine, [work])
    })
    beforeEach(() => removeAll(queue))
    after(() => queue.close())

    describe('when it claims them', () => {
      it('takes those that are accepted, each for one runner, and counts the attempt', async () => {
        for (let count = 0; count < 3; count++) await queue.enqueue(work, count)
        const first = await claim(queue, {
          admission:
            () =>
            ({ payload }) =>
              (payload as { value: number }).value !== 1,
        })
        assert.deepEqual(
          first.jobs.map(({ payload, attempts }) => ({ payload, attempts })),
          [0, 2].map((value) => ({ payload: { value }, attempts: 1 })),
        )
        const second = await claim(queue, { by: 'you' })
        assert.deepEqual(
          second.jobs.map(({ payload }) => payload),
          [{ value: 1 }],
        )
        assert.deepEqual((await claim(queue)).jobs, [])
        for (const { worker: runner, status, attempts, is_cancel_requested } of await rowsOf(queue)) {
          assert.deepEqual([status, attempts, is_cancel_requested], ['active', 1, false])
          assert.ok(runner === 'me' || runner === 'you')
        }
        const leftMs = await leaseLeft(queue, first.jobs[0]?.id ?? 0)
        assert.ok(leftMs > leaseMs / 2 && leftMs <= leaseMs, String(leftMs))
      })

      it('holds those that others of their mailbox are before, and tells how many', async () => {
        const ids: number[] = []
        for (let count = 0; count < 3; count++) {
          ids.push(await queue.enqueue(work, count, { mailbox: 'm' }))
        }
        const { jobs, held } = await claim(queue)
        assert.deepEqual([jobs.map(({ id }) => id), held], [ids.slice(0, 1), 2])
        assert.deepEqual(
          (await rowsOf(queue)).map(({ status }) => status),
          ['active', 'held', 'held'],
        )
        const [job] = jobs
        assert.ok(job)
        assert.equal(
          await createOutcomes(runnerOf(queue)).record(job, { status: 'completed', result: null }),
          true,
        )
        assert.deepEqual(
          (await rowsOf(queue)).map(({ status }) => status),
          ['completed', 'waiting', 'held'],
        )
      })

      it('tries again a few times where others have chosen from the same mailbox at that moment', async () => {
        await queue.enqueue(work, 'another of the mailbox', { mailbox: 'm' })
        // As if it had started after the search found it.
        await change(queue, `status = 'cancelled', running_mailbox = mailbox`)
        const id = await queue.enqueue(work, 'mine', { mailbox: 'm' })
        let tries = 0
        const admission = () => {
          tries++
          return () => true
        }
        await assert.rejects(claim(queue, { admission }), isUniqueViolation)
        assert.equal(tries, 4)
        await change(queue, 'running_mailbox = null')
        const { jobs } = await claim(queue, { admission })
        assert.deepEqual([jobs.map((job) => job.id), tries], [[id], 5])
      })

      it('knows when the next one is due', async () => {
        const claims = createClaims(runnerOf(queue))
        assert.equal(await claims.nextRunAt(['test.work']), undefined)
        const runAt = '2999-01-01T00:00:00.000Z'
        await queue.enqueue(work, 1, { runAt })
        assert.equal(await claims.nextRunAt(['test.work']), runAt)
        assert.equal(await claims.nextRunAt(['test.other']), undefined)
      })
    })

    describe('when they end', () => {
      const record = (job: ClaimedJob | undefined, outcome: Outcome, by = 'me') => {
        assert.ok(job)
        return createOutcomes(runnerOf(queue, by, log)).record(job, outcome)
      }

      it('says how, and lets go of them', async () => {
        const jobs = await claimNew(queue, work, 6)
        const outcomes: Outcome[] = [
          { status: 'completed', result: null },
          { status: 'completed', result: { a: 1 } },
          { status: 'failed', error: 'broken' },
          { status: 'cancelled', error: 'stopped' },
          { status: 'waiting', error: 'not yet', runAt: '2999-01-01T00:00:00.000Z' },
          { status: 'handedBack' },
        ]
        const { record } = createOutcomes(runnerOf(queue))
        const answers = await Promise.all(
          outcomes.map((outcome, index) => record(jobs[index] as ClaimedJob, outcome)),
        )
        assert.deepEqual(
          answers,
          outcomes.map(() => true),
        )
        const written = await rowsOf(queue)
        assert.deepEqual(
          written.map(({ status, attempts, error, progress }) => [status, attempts, error, progress]),
          [
            ['completed', 1, null, 100],
            ['completed', 1, null, 100],
            ['failing', 1, 'broken', 0],
            ['cancelling', 1, 'stopped', 0],
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
        for (const { worker: runner, lease_until } of written)
          assert.deepEqual([runner, lease_until], [null, null])
      })

      it('forgets what an earlier attempt has said', async () => {
        await queue.enqueue(work)
        await change(queue, `attempts = 1, error = 'not yet'`)
        const [job] = (await claim(queue)).jobs
        assert.equal(await record(job, { status: 'completed', result: null }), true)
        const [written] = await rowsOf(queue)
        assert.deepEqual([written?.status, written?.error, written?.attempts], ['completed', null, 2])
      })

      it('changes nothing of a job that is no longer its own', async () => {
        const jobs = await claimNew(queue, work, 3)
        const lost: Outcome = { status: 'failed', error: 'mine' }
        assert.equal(await record(jobs[0], lost, 'another'), false)
        await record(jobs[0], { status: 'completed', result: null }, 'another')
        await change(queue, 'attempts = 2')
        assert.equal(await record(jobs[1], { status: 'completed', result: 1 }), false)
        await record(jobs[2], { status: 'completed', result: null })
        for (const { status, error } of await rowsOf(queue))
          assert.deepEqual([status, error], ['active', null])
      })

      it('tells of each whether it was, however many end together', async () => {
        const jobs = await claimNew(queue, work, 450)
        await change(queue, `worker = 'another' where id = ${jobs[449]?.id}`)
        const { record } = createOutcomes(runnerOf(queue))
        const answers = await Promise.all(
          jobs.map((job, index) =>
            record(job, { status: 'completed', result: index % 3 === 0 ? null : index }),
          ),
        )
        assert.deepEqual(
          answers.flatMap((isOurs, index) => (isOurs ? [] : [index])),
          [449],
        )
        assert.equal((await rowsOf(queue)).filter(({ status }) => status === 'completed').length, 449)
      })

      it('lets the next of the mailbox go on, unless the job will be tried again', async () => {
        const runAt = '2999-01-01T00:00:00.000Z'
        const cases: [Outcome, string][] = [
          [{ status: 'completed', result: 1 }, 'waiting'],
          [{ status: 'failed', error: 'x' }, 'waiting'],
          [{ status: 'waiting', error: 'x', runAt }, 'held'],
        ]
        for (const [outcome, next] of cases) {
          await change(queue, `status = 'completed', running_mailbox = null`)
          await queue.enqueue(work, 1, { mailbox: 'm' })
          const second = await queue.enqueue(work, 2, { mailbox: 'm' })
          const [job] = (await claim(queue)).jobs
          const releases = queue.releases()
          await record(job, outcome)
          assert.equal((await rowOf(queue, second)).status, next)
          assert.equal(queue.releases() - releases, next === 'waiting' ? 1 : 0)
        }
      })

      it('tries again while the database is away', async () => {
        const [job] = await claimNew(queue, work, 1)
        const rename = (from: string, to: string) =>
          queue.database.run(
            queue.database.prepare(sql`alter table ${sql.identifier(from)} rename to ${sql.identifier(to)}`),
          )
        await rename('svc_jobs', 'away')
        const recorded = record(job, { status: 'failed', error: 'broken' })
        await until(() => lines.some(({ level, jobs }) => level === 'error' && jobs === 1))
        await rename('away', 'svc_jobs')
        assert.equal(await recorded, true)
        assert.equal((await rowsOf(queue))[0]?.status, 'failing')
      })
    })
  })
})
