import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { startJobsWorld, testKind } from './jobs-world.ts'

it('keeps a job as long as it runs, however short the lease', slow, async () => {
  const kind = testKind('test.long', { maxAttempts: 2 })
  const world = await startJobsWorld([kind], { env: { SVC_JOBS_LEASE_MS: '600' } })
  try {
    const database = world.kernel.get(databaseService)
    const statement = database.prepare<{ lease: string | null }>(
      sql`select lease_until as lease from svc_jobs where name = 'test.long'`,
    )
    const leases = new Set<string | null>()
    let starts = 0
    kind.does(async () => {
      starts++
      await until(async () => {
        leases.add((await database.get(statement))?.lease ?? null)
        return leases.size > 4
      }, 'the lease is renewed')
    })
    const id = await world.inTransaction((tx) => world.jobs.enqueue(tx, kind.kind, {}))
    const job = await world.jobs.finished(id)
    assert.deepEqual([job.status, job.attempts, starts, leases.has(null)], ['completed', 1, 1, false])
  } finally {
    await world.stop()
  }
})

it('renews a lease by the present time after the clock was set back', async () => {
  const kind = testKind('test.long')
  const world = await startJobsWorld([kind], { env: { SVC_JOBS_LEASE_MS: '600' } })
  const now = Date.now
  try {
    const database = world.kernel.get(databaseService)
    const statement = database.prepare<{ lease: string }>(
      sql`select lease_until as lease from svc_jobs where name = 'test.long'`,
    )
    kind.does(async () => {
      const setAtMs = now()
      mock.method(Date, 'now', () => now() - 3_600_000)
      // An hour too far ahead, the lease would block others for that long if this process died.
      await until(async () => Date.parse((await database.get(statement))?.lease ?? '') < setAtMs)
    })
    const id = await world.inTransaction((tx) => world.jobs.enqueue(tx, kind.kind, {}))
    assert.equal((await world.jobs.finished(id)).status, 'completed')
  } finally {
    mock.restoreAll()
    await world.stop()
  }
})
