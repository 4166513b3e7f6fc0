import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { UnretriableJobError } from '../../core-plugins/background/jobs/jobs.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { gate, type JobsWorld, startJobsWorld, testKind } from './jobs-world.ts'

eachDatabase(({ name: database }) => {
  describe('jobs', () => {
    const givenUp: number[] = []
    const onGivenUp = ({ value }: { value?: unknown }, { id }: { id: number }) => {
      if (value === 'cannot be tidied up') throw new Error('it is a mess')
      givenUp.push(id)
    }
    const work = testKind('test.work', { maxAttempts: 3, onGivenUp })
    const patient = testKind('test.patient', { concurrency: 100 })
    const laned = testKind('test.laned', { concurrency: 100, laneConcurrency: 1 })
    let world: JobsWorld

    before(async () => {
      world = await startJobsWorld([work, patient, laned], { database })
    })
    after(() => world.stop())

    const enqueue = (value: unknown, options = {}) =>
      world.inTransaction((tx) => world.jobs.enqueue(tx, work.kind, { value }, options))

    it('runs after the commit and keeps what the work answers', async () => {
      work.does((value) => ({ doubled: Number(value) * 2 }))
      const job = await world.jobs.finished(await enqueue(21))
      assert.equal(job.status, 'completed')
      assert.deepEqual(job.result, { doubled: 42 })
      assert.equal(job.attempts, 1)
      assert.equal(job.progress, 100)
      assert.ok(job.startedAt !== null && job.finishedAt !== null)
    })

    it('never runs when the transaction is rolled back', async () => {
      const ran: unknown[] = []
      work.does((value) => ran.push(value))
      await assert.rejects(
        world.inTransaction(async (tx) => {
          await world.jobs.enqueue(tx, work.kind, { value: 'rolled back' })
          throw new Error('no')
        }),
        /no/,
      )
      await world.jobs.finished(await enqueue('committed'))
      assert.deepEqual(ran, ['committed'])
    })

    it('refuses a payload that does not match the kind', async () => {
      await assert.rejects(
        world.inTransaction((tx) => world.jobs.enqueue(tx, work.kind, { wrong: 1 } as never)),
        /does not match the kind test\.work/,
      )
    })

    it('is tried again until it succeeds', async () => {
      let attempts = 0
      work.does(() => {
        attempts++
        if (attempts < 3) throw new Error(`attempt ${attempts}`)
      })
      const job = await world.jobs.finished(await enqueue(1))
      assert.equal(job.status, 'completed')
      assert.equal(job.attempts, 3)
      assert.equal(job.error, null)
    })

    it('fails after its last attempt, and can be retried', async () => {
      work.does(() => {
        throw new Error('it is broken')
      })
      const id = await enqueue(1)
      const failed = await world.jobs.finished(id)
      assert.equal(failed.status, 'failed')
      assert.equal(failed.attempts, 3)
      assert.match(failed.error ?? '', /it is broken/)
      work.does(() => 'mended')
      await world.jobs.retry(id)
      const mended = await world.jobs.finished(id)
      assert.equal(mended.status, 'completed')
      assert.equal(mended.result, 'mended')
      await assert.rejects(world.jobs.retry(id), { code: 'CONFLICT' })
    })

    it('fails at once where trying again would not help', async () => {
      work.does(() => {
        throw new UnretriableJobError('hopeless')
      })
      const job = await world.jobs.finished(await enqueue(1))
      assert.equal(job.status, 'failed')
      assert.equal(job.attempts, 1)
    })

    it('waits for its time', async () => {
      const ran: unknown[] = []
      work.does((value) => ran.push(value))
      const soon = new Date(Date.now() + 400).toISOString()
      const id = await enqueue('later', { runAt: soon })
      assert.equal((await world.jobs.find(id))?.status, 'delayed')
      await world.jobs.finished(await enqueue('now'))
      assert.deepEqual(ran, ['now'])
      const job = await world.jobs.finished(id)
      assert.ok((job.startedAt ?? '') >= soon, `${job.startedAt} is not before ${soon}`)
    })

    it('runs the jobs of one mailbox one after the other, in the order in which they were made', async () => {
      const ran: unknown[] = []
      let running = 0
      patient.does(async (value) => {
        running++
        assert.equal(running, 1)
        ran.push(value)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      })
      const values = Array.from({ length: 60 }, (_, index) => index)
      await world.inTransaction((tx) =>
        world.jobs.enqueueMany(
          tx,
          patient.kind,
          values.map((value) => ({ payload: { value }, mailbox: 'one' })),
        ),
      )
      await until(() => ran.length === values.length, 'all of the mailbox ran')
      assert.deepEqual(ran, values)
    })

    it('holds a mailbox up while its first job is tried again, and no other', async () => {
      const ran: unknown[] = []
      let isBroken = true
      patient.does((value) => {
        if (value === 'first' && isBroken) throw new Error('not yet')
        ran.push(value)
      })
      const ids = await world.inTransaction(async (tx) => {
        const made = []
        for (const [value, mailbox] of [
          ['first', 'a'],
          ['second', 'a'],
          ['other', 'b'],
        ] as const) {
          made.push(await world.jobs.enqueue(tx, patient.kind, { value }, { mailbox, maxAttempts: 1000 }))
        }
        return made
      })
      await world.jobs.finished(ids[2] ?? 0)
      assert.deepEqual(ran, ['other'])
      isBroken = false
      await world.jobs.finished(ids[1] ?? 0)
      assert.deepEqual(ran, ['other', 'first', 'second'])
    })

    it('finds what is due behind a long mailbox at once', async () => {
      const blocked = gate()
      const ran: unknown[] = []
      work.does(async (value) => {
        if (value === 'first') await blocked.opened
        ran.push(value)
      })
      const last = await world.inTransaction(async (tx) => {
        const jobs = Array.from({ length: 300 }, (_, index) => ({
          payload: { value: index === 0 ? 'first' : index },
          mailbox: 'long',
        }))
        await world.jobs.enqueueMany(tx, work.kind, jobs)
        return world.jobs.enqueue(tx, work.kind, { value: 'behind' })
      })
      await world.jobs.finished(last)
      assert.deepEqual(ran, ['behind'])
      blocked.open()
      await world.jobs.drain()
      assert.equal(ran.length, 301)
    })

    it('does not let one lane hold up another', async () => {
      const blocked = gate()
      const ran: unknown[] = []
      laned.does(async (value) => {
        if (value === 'slow') await blocked.opened
        ran.push(value)
      })
      await world.inTransaction(async (tx) => {
        const jobs = Array.from({ length: 80 }, () => ({ payload: { value: 'slow' }, lane: 'slow' }))
        await world.jobs.enqueueMany(tx, laned.kind, jobs)
        await world.jobs.enqueueMany(tx, laned.kind, [{ payload: { value: 'fast' }, lane: 'fast' }])
      })
      await until(() => ran.includes('fast'), 'the fast lane moves')
      assert.deepEqual(ran, ['fast'])
      blocked.open()
      await world.jobs.drain()
      assert.equal(ran.length, 81)
    })

    it('makes one job per key while it is unfinished', async () => {
      const blocked = gate()
      let runs = 0
      work.does(async () => {
        runs++
        await blocked.opened
      })
      const first = await enqueue(1, { key: 'nightly' })
      assert.equal(await enqueue(2, { key: 'nightly' }), first)
      await until(() => runs === 1, 'it runs')
      assert.equal(await enqueue(3, { key: 'nightly' }), first)
      blocked.open()
      await world.jobs.finished(first)
      const next = await enqueue(4, { key: 'nightly' })
      assert.notEqual(next, first)
      await world.jobs.finished(next)
      assert.equal(runs, 2)
    })

    it('makes a job with a key also while another one with it ends', slow, async () => {
      work.does(() => undefined)
      const ids = new Set<number>()
      const ask = async () => {
        while (ids.size < 100) ids.add(await enqueue(1, { key: 'busy' }))
      }
      await Promise.all(Array.from({ length: 8 }, ask))
      for (const id of ids) assert.equal((await world.jobs.finished(id)).status, 'completed')
    })

    it('makes one job per key when many ask at the same time', async () => {
      const ids = await Promise.all(
        Array.from({ length: 10 }, () => enqueue(1, { key: 'crowded', runAt: '2999-01-01T00:00:00.000Z' })),
      )
      assert.equal(new Set(ids).size, 1)
      await world.jobs.cancel(ids[0] ?? 0)
    })

    it('cancels what waits at once', async () => {
      const id = await enqueue(1, { runAt: '2999-01-01T00:00:00.000Z' })
      assert.equal((await world.jobs.cancel(id)).status, 'cancelled')
      await assert.rejects(world.jobs.cancel(id), { code: 'CONFLICT' })
      await assert.rejects(world.jobs.cancel(999_999_999), { code: 'NOT_FOUND' })
    })

    it('tells the kind of what was cancelled or has failed for good', async () => {
      work.does(() => {
        throw new Error('no')
      })
      const failed = await enqueue('told', { maxAttempts: 1 })
      await until(() => givenUp.includes(failed), 'told of the failure')
      const cancelled = await enqueue('told', { runAt: '2999-01-01T00:00:00.000Z' })
      await world.jobs.cancel(cancelled)
      assert.ok(givenUp.includes(cancelled))
    })

    it('goes on where the kind cannot cope with that', async () => {
      work.does(() => {
        throw new Error('no')
      })
      const id = await enqueue('cannot be tidied up', { maxAttempts: 1 })
      await until(() => world.logLines.some(({ level, job, err }) => level === 'error' && job === id && err))
      const failed = world.logLines.find(({ job, error }) => job === id && error === 'no')
      assert.deepEqual([failed?.level, failed?.kind, failed?.attempts], ['error', 'test.work', 1])
      work.does(() => 'done')
      assert.equal((await world.jobs.finished(await enqueue(1))).status, 'completed')
    })

    it('makes many at once, or none, but none with keys', async () => {
      const ran: unknown[] = []
      patient.does((value) => ran.push(value))
      const many = (jobs: { payload: { value?: unknown }; key?: string }[]) =>
        world.inTransaction(async (tx) => {
          await world.jobs.enqueueMany(tx, patient.kind, [])
          await world.jobs.enqueueMany(tx, patient.kind, jobs.slice(0, 1))
          await world.jobs.enqueueMany(tx, patient.kind, jobs.slice(1))
        })
      await many([])
      await assert.rejects(many([{ payload: { value: 'a' } }, { payload: { value: 'b' }, key: 'k' }]), /keys/)
      await assert.rejects(
        many([{ payload: { wrong: 1 } as never }]),
        /does not match the kind test\.patient/,
      )
      await many([{ payload: { value: 1 } }, { payload: { value: 2 } }, { payload: { value: 3 } }])
      await world.jobs.drain()
      assert.deepEqual(ran, [1, 2, 3])
    })

    it('is waited for as long as one wants', async () => {
      await assert.rejects(world.jobs.finished(999_999_999), { code: 'NOT_FOUND' })
      const id = await enqueue(1, { runAt: '2999-01-01T00:00:00.000Z' })
      const waiting = new AbortController()
      const finished = world.jobs.finished(id, waiting.signal)
      waiting.abort()
      await assert.rejects(finished, { name: 'AbortError' })
      await world.jobs.cancel(id)
    })

    it('asks what runs to stop', async () => {
      work.does(
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true })
          }),
      )
      const id = await enqueue(1)
      await until(async () => (await world.jobs.find(id))?.status === 'active', 'it runs')
      await world.jobs.cancel(id)
      assert.equal((await world.jobs.finished(id)).status, 'cancelled')
    })

    it('goes on with a mailbox when its first job is cancelled', async () => {
      patient.does((value) => value)
      const [first, second] = await world.inTransaction(async (tx) => [
        await world.jobs.enqueue(
          tx,
          patient.kind,
          { value: 1 },
          { mailbox: 'c', runAt: '2999-01-01T00:00:00.000Z' },
        ),
        await world.jobs.enqueue(tx, patient.kind, { value: 2 }, { mailbox: 'c' }),
      ])
      await world.jobs.drain()
      assert.equal((await world.jobs.find(second ?? 0))?.status, 'waiting')
      await world.jobs.cancel(first ?? 0)
      assert.equal((await world.jobs.finished(second ?? 0)).status, 'completed')
    })

    it('shows progress while it runs', async () => {
      const blocked = gate()
      work.does(async (_, { reportProgress }) => {
        reportProgress(42.4)
        await blocked.opened
      })
      const id = await enqueue(1)
      await until(async () => (await world.jobs.find(id))?.progress === 42, 'its progress shows')
      blocked.open()
      assert.equal((await world.jobs.finished(id)).progress, 100)
    })

    it('fails what answers something that is no JSON, and nothing else with it', async () => {
      work.does((value) => (value === 'odd' ? { big: 1n } : value))
      const [odd, even] = await Promise.all([enqueue('odd', { maxAttempts: 1 }), enqueue('even')])
      assert.equal((await world.jobs.finished(odd)).status, 'failed')
      assert.equal((await world.jobs.finished(even)).status, 'completed')
    })
  })
})
