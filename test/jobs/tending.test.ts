import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it, mock } from 'node:test'
import { type Attempt, startAttempt } from '../../core-plugins/background/jobs/attempt.ts'
import type { ClaimedJob } from '../../core-plugins/background/jobs/claims.ts'
import type { JobKind } from '../../core-plugins/background/jobs/jobs.ts'
import { createLeases } from '../../core-plugins/background/jobs/leases.ts'
import { silentLog } from '../../kernel/index.ts'
import { eachDatabase } from '../support/databases.ts'
import { change, claimNew, leaseLeft, leaseMs, removeAll, rowOf, runnerOf } from './claimed-jobs.ts'
import { testKind, type Work } from './jobs-world.ts'
import { openQueue, type Queue } from './open-queue.ts'

eachDatabase((engine) => {
  describe('a runner that looks after its leases', () => {
    const work = testKind('test.work')
    let queue: Queue

    before(async () => {
      queue = await openQueue(engine, [work])
    })
    beforeEach(() => removeAll(queue))
    after(() => queue.close())

    const untilStopped: Work = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    let running: Map<number, Attempt>

    beforeEach(() => {
      running = new Map()
    })

    async function startAll(count: number): Promise<readonly ClaimedJob[]> {
      const jobs = await claimNew(queue, work, count)
      for (const job of jobs) {
        running.set(job.id, startAttempt(job, work.kind as JobKind, queue.kinds, silentLog))
      }
      await new Promise(setImmediate)
      return jobs
    }

    it('stops those that were cancelled or given to others, and no other', async () => {
      work.does(untilStopped)
      const [cancelled, lost, ended, kept] = await startAll(4)
      assert.ok(cancelled && lost && ended && kept)
      await queue.store.cancel(cancelled.id)
      await change(queue, `worker = 'another' where id in (${lost.id}, ${ended.id})`)
      const over = running.get(ended.id)
      const isOver = { stopped: false }
      void over?.ended.then(() => {
        isOver.stopped = true
      })
      const attempts = new Map(running)
      const leases = createLeases(runnerOf(queue))
      const tending = leases.tend(running)
      // An attempt that ends while the database answers needs no lease any more.
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
      await change(queue, `worker = 'another' where id = ${other.id}`)
      await createLeases(runnerOf(queue)).tend(running)
      assert.equal((await rowOf(queue, job.id)).progress, 30)
      assert.equal((await rowOf(queue, other.id)).progress, 0)
      for (const attempt of running.values()) attempt.stop('shutdown')
    })

    it('leaves a claim alone whose answer never came, so that its lease ends', async () => {
      work.does(untilStopped)
      const [known, unanswered] = await startAll(2)
      assert.ok(known && unanswered)
      running.get(unanswered.id)?.stop('shutdown')
      running.delete(unanswered.id)
      await change(queue, `lease_until = created_at`)
      await createLeases(runnerOf(queue)).tend(running)
      assert.ok((await leaseLeft(queue, known.id)) > leaseMs / 2)
      assert.ok((await leaseLeft(queue, unanswered.id)) <= 0)
      for (const attempt of running.values()) attempt.stop('shutdown')
    })

    it('renews their leases each third of one', async () => {
      work.does(untilStopped)
      const [job] = await startAll(1)
      assert.ok(job)
      const leases = createLeases(runnerOf(queue))
      let nowMs = 1_000
      const clock = mock.method(performance, 'now', () => nowMs)
      /** Whether the lease has changed after that time. */
      const isRenewed = async (afterMs: number) => {
        await change(queue, `lease_until = created_at`)
        nowMs += afterMs
        await leases.tend(running)
        const leftMs = await leaseLeft(queue, job.id)
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
