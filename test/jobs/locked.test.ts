import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { databasesUnderTest } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { gate, startJobsWorld, testKind } from './jobs-world.ts'

/** The longest poll interval a process can have: no test waits for it. */
const pollIntervalMs = 60_000
const env = { SVC_JOBS_POLL_INTERVAL_MS: String(pollIntervalMs) }

/** SQLite has no row locks. */
const withRowLocks = (await databasesUnderTest()).filter(({ name }) => name !== 'sqlite')

for (const { name } of withRowLocks) {
  describe(`${name}: a job that another runner has locked`, () => {
    it('is found soon after that runner has left it', async () => {
      const { kind } = testKind('test.locked')
      const world = await startJobsWorld([{ kind, does: () => undefined }], { database: name, env })
      const locked = gate()
      const done = gate()
      try {
        const enqueue = (options = {}) =>
          world.inTransaction((tx) => world.jobs.enqueue(tx, kind, {}, options))
        const dueAtMs = Date.now() + 500
        const left = await enqueue({ runAt: new Date(dueAtMs).toISOString() })
        const database = world.kernel.get(databaseService)
        const lock = world.inTransaction(async (tx) => {
          await tx.all(
            database.prepare(sql`select id from svc_jobs where id = ${sql.raw(String(left))} for update`),
          )
          locked.open()
          await done.opened
        })
        await locked.opened
        // Each that ends makes the runner try to claim again, and find nothing.
        while (Date.now() <= dueAtMs) await world.jobs.finished(await enqueue())
        await world.jobs.finished(await enqueue())
        done.open()
        await lock
        const leftAtMs = performance.now()
        await until(async () => (await world.jobs.find(left))?.status === 'completed')
        assert.ok(performance.now() - leftAtMs < pollIntervalMs / 2)
      } finally {
        done.open()
        await world.stop()
      }
    })
  })
}
