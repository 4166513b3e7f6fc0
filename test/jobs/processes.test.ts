import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { type DatabaseUnderTest, eachDatabase, type TestDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { gate, type JobsWorld, startJobsWorld, testKind } from './jobs-world.ts'

interface LeftBehind {
  readonly attempts: number
  /** From processes before this one. */
  readonly deaths?: number
  readonly maxAttempts?: number
}

/** Two services on one database, like two processes; what each of them runs is recorded separately. */
eachDatabase((engine: DatabaseUnderTest) => {
  describe('jobs of several runners', () => {
    const kinds = [0, 1].map(() => testKind('test.shared', { concurrency: 8, maxAttempts: 3 }))
    let database: TestDatabase
    let worlds: JobsWorld[]

    before(async () => {
      database = await engine.createUrl()
      worlds = []
      for (const kind of kinds) {
        const env = { SVC_JOBS_POLL_INTERVAL_MS: '50', SVC_JOBS_LEASE_MS: '900' }
        worlds.push(await startJobsWorld([kind], { database: { url: database.url }, env }))
      }
    })
    after(async () => {
      for (const world of worlds) await world.stop()
      await database.drop()
    })

    const [kind] = kinds
    const world = () => worlds[0] as JobsWorld
    const eachKindDoes = (work: Parameters<NonNullable<typeof kind>['does']>[0]) => {
      for (const each of kinds) each.does(work)
    }
    const enqueueMany = (jobs: readonly { value: unknown; mailbox?: string }[]) =>
      world().inTransaction((tx) =>
        world().jobs.enqueueMany(
          tx,
          (kind as NonNullable<typeof kind>).kind,
          jobs.map(({ value, mailbox }) => ({
            payload: { value },
            ...(mailbox === undefined ? {} : { mailbox }),
          })),
        ),
      )

    it('drain 10,000 jobs, each of which runs once', slow, async () => {
      const count = 10_000
      const runs = new Map<unknown, number>()
      eachKindDoes((value) => void runs.set(value, (runs.get(value) ?? 0) + 1))
      await enqueueMany(Array.from({ length: count }, (_, value) => ({ value })))
      // In steps, as a busy machine may need more than one wait.
      for (let least = 1_000; least <= count; least += 1_000) await until(() => runs.size >= least)
      await until(
        async () => (await world().jobs.stats()).byName['test.shared']?.completed === count,
        'all are completed',
      )
      assert.deepEqual(new Set(runs.values()), new Set([1]))
    })

    it('keep the order of each mailbox', async () => {
      const ran = new Map<string, number[]>()
      const running = new Set<string>()
      eachKindDoes(async (value) => {
        const [mailbox, index] = value as [string, number]
        assert.ok(!running.has(mailbox), `two jobs of ${mailbox} run at the same time`)
        running.add(mailbox)
        ran.set(mailbox, [...(ran.get(mailbox) ?? []), index])
        await new Promise((resolve) => setImmediate(resolve))
        running.delete(mailbox)
      })
      const mailboxes = ['one', 'two', 'three']
      const jobs = Array.from({ length: 90 }, (_, index) => {
        const mailbox = mailboxes[index % 3] ?? ''
        return { value: [mailbox, index], mailbox }
      })
      for (let start = 0; start < jobs.length; start += 10) await enqueueMany(jobs.slice(start, start + 10))
      await until(() => [...ran.values()].flat().length === jobs.length, 'all have run')
      for (const indexes of ran.values()) {
        assert.deepEqual(
          indexes,
          [...indexes].sort((left, right) => left - right),
        )
      }
    })

    it('do not run a job beside a later one of its mailbox that was committed before it', async () => {
      // SQLite commits in the order of the ids.
      if (engine.name === 'sqlite') return
      const later = gate()
      const ran: unknown[] = []
      eachKindDoes(async (value) => {
        if (value === 'later id') await later.opened
        ran.push(value)
      })
      const isWritten = gate()
      const mayCommit = gate()
      const { jobs, inTransaction } = world()
      const { kind: shared } = kind as NonNullable<typeof kind>
      const early = inTransaction(async (tx) => {
        const id = await jobs.enqueue(tx, shared, { value: 'lower id' }, { mailbox: 'late' })
        isWritten.open()
        await mayCommit.opened
        return id
      })
      await isWritten.opened
      const id = await inTransaction((tx) =>
        jobs.enqueue(tx, shared, { value: 'later id' }, { mailbox: 'late' }),
      )
      await until(async () => (await jobs.find(id))?.status === 'active', 'the later one runs')
      mayCommit.open()
      const lower = await early
      assert.ok(lower < id)
      await until(async () => (await storedStatus(lower)) === 'held', 'the lower one was looked at')
      assert.deepEqual(ran, [])
      later.open()
      await jobs.finished(lower)
      assert.deepEqual(ran, ['later id', 'lower id'])
    })

    it('take over what a dead process has left', async () => {
      const ran: unknown[] = []
      eachKindDoes((value) => void ran.push(value))
      await leaveBehind('orphan', { attempts: 1 })
      await until(() => ran.includes('orphan'), 'the job runs')
    })

    it('fail what has killed its process too often', async () => {
      eachKindDoes(() => undefined)
      const id = await leaveBehind('killer', { attempts: 3 })
      const job = await world().jobs.finished(id)
      assert.equal(job.status, 'failed')
      assert.match(job.error ?? '', /the process that ran it died/)
    })

    it('fail what has killed too many processes, however many attempts it has left', async () => {
      eachKindDoes(() => undefined)
      const id = await leaveBehind('poison', { attempts: 5, deaths: 4, maxAttempts: 100 })
      const { status, attempts } = await world().jobs.finished(id)
      assert.deepEqual([status, attempts], ['failed', 5])
      await until(async () => {
        const { body } = await world().admin.get('/api/admin/operational-alerts?kind=job_failed')
        return body.data[0]?.details.job === id
      }, 'the alert is raised')
    })

    it('go on with held jobs whose process died before it could let them go', async () => {
      const ran: unknown[] = []
      eachKindDoes((value) => void ran.push(value))
      const database = world().kernel.get(databaseService)
      const id = await world().inTransaction((tx) =>
        world().jobs.enqueue(
          tx,
          (kind as NonNullable<typeof kind>).kind,
          { value: 'held' },
          { mailbox: 'h', runAt: '2999-01-01T00:00:00.000Z' },
        ),
      )
      await database.run(
        database.prepare(sql`update svc_jobs set status = 'held', run_at = created_at where id = ${id}`),
      )
      await until(() => ran.includes('held'), 'the job runs')
    })

    async function storedStatus(id: number): Promise<string | undefined> {
      const database = world().kernel.get(databaseService)
      const statement = database.prepare<{ status: string }>(
        sql`select status from svc_jobs where id = ${id}`,
      )
      return (await database.get(statement))?.status
    }

    /** A job whose process was killed while running it. */
    async function leaveBehind(
      value: unknown,
      { attempts, deaths = 0, maxAttempts = 3 }: LeftBehind,
    ): Promise<number> {
      const { jobs, inTransaction, kernel } = world()
      const database = kernel.get(databaseService)
      const id = await inTransaction((tx) =>
        jobs.enqueue(
          tx,
          (kind as NonNullable<typeof kind>).kind,
          { value },
          { mailbox: String(value), runAt: '2999-01-01T00:00:00.000Z' },
        ),
      )
      await database.run(
        database.prepare(sql`update svc_jobs set status = 'active', attempts = ${attempts}, deaths = ${deaths},
          max_attempts = ${maxAttempts}, worker = 'dead',
          running_mailbox = mailbox, lease_until = created_at where id = ${id}`),
      )
      return id
    }
  })
})
