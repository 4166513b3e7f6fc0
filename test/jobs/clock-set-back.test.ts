import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { EnqueueOptions } from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService, query, type Transaction } from '../../core-plugins/foundation/database/database.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { type JobsWorld, startJobsWorld, testKind } from './jobs-world.ts'

const inAnHour = (moreMs = 0) => new Date(Date.now() + 3_600_000 + moreMs).toISOString()

/** What a clock that was an hour fast has left in the database. */
eachDatabase((engine) => {
  describe('after the clock was set back', () => {
    const kind = testKind('test.late')
    let database: TestDatabase
    let world: JobsWorld
    before(async () => {
      database = await engine.createUrl()
      const env = { SVC_JOBS_LEASE_MS: '600' }
      world = await startJobsWorld([kind], { database: { url: database.url }, env })
    })
    after(async () => {
      await world.stop()
      await database.drop()
    })

    function enqueueAs(
      change: (id: number, tx: Transaction) => Promise<unknown>,
      options: EnqueueOptions = {},
    ) {
      return world.inTransaction(async (tx) => {
        const id = await world.jobs.enqueue(tx, kind.kind, {}, options)
        await change(id, tx)
        return id
      })
    }

    const statusOf = async (id: number) => (await world.jobs.finished(id)).status

    it('jobs run that were made before, and those that wait for a moment go on waiting', async () => {
      const made = query(
        world.kernel.get(databaseService),
        (value) => sql`update svc_jobs set created_at = ${value('ahead', 'datetime')},
          run_at = ${value('ahead', 'datetime')} where id = ${value('id', 'id')}`,
      )
      const later = await enqueueAs(async () => undefined, { runAt: inAnHour() })
      const id = await enqueueAs((id, tx) => made.run({ id, ahead: inAnHour() }, tx))
      assert.equal(await statusOf(id), 'completed')
      assert.equal((await world.jobs.find(later))?.status, 'delayed')
    })

    it('jobs that had failed are tried again', async () => {
      const failed = query(
        world.kernel.get(databaseService),
        (value) => sql`update svc_jobs set attempts = 1, planned_at = ${value('ahead', 'datetime')},
          run_at = ${value('next', 'datetime')} where id = ${value('id', 'id')}`,
      )
      const id = await enqueueAs((id, tx) => failed.run({ id, ahead: inAnHour(), next: inAnHour(20) }, tx))
      assert.equal(await statusOf(id), 'completed')
    })

    it('jobs of a process that died are taken over', async () => {
      const lost = query(
        world.kernel.get(databaseService),
        (value) => sql`update svc_jobs set status = 'active', attempts = 1, worker = 'dead',
          lease_until = ${value('ahead', 'datetime')} where id = ${value('id', 'id')}`,
      )
      const id = await enqueueAs((id, tx) => lost.run({ id, ahead: inAnHour() }, tx))
      assert.equal(await statusOf(id), 'completed')
    })

    it('schedules are planned anew', async () => {
      const planned = query(
        world.kernel.get(databaseService),
        (value) => sql`update svc_schedules set next_run_at = ${value('ahead', 'datetime')}
          where name = 'backup.cleanup'`,
      )
      await planned.run({ ahead: inAnHour(3_600_000) })
      const { body } = await world.admin.get('/api/admin/scheduled-jobs')
      const { id } = body.data.find(({ name }: { name: string }) => name === 'backup.cleanup')
      await until(async () => {
        const { body } = await world.admin.get(`/api/admin/scheduled-jobs/${id}`)
        return body.data.nextRunAt < inAnHour()
      })
    })
  })
})
