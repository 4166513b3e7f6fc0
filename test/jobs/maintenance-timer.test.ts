import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { createMaintenance } from '../../core-plugins/background/jobs/maintenance.ts'
import { createMaintenanceTimer } from '../../core-plugins/background/jobs/maintenance-timer.ts'
import { leaseMs } from '../../core-plugins/background/jobs/settings.ts'
import { jobsTable } from '../../core-plugins/background/jobs/tables.ts'
import type { Config } from '../../core-plugins/foundation/config/config.ts'
import { eachDatabase } from '../support/databases.ts'
import { recordingLog } from '../support/recording-log.ts'
import { insertRow, type TableRow } from '../support/table-rows.ts'
import { until } from '../support/until.ts'
import { testKind } from './jobs-world.ts'
import { openQueue, type Queue } from './open-queue.ts'

const long = '2020-01-01T00:00:00.000Z'

eachDatabase((engine) => {
  describe('maintenance runs', () => {
    const work = testKind('test.work')
    let queue: Queue

    before(async () => {
      queue = await openQueue(engine, [work])
    })
    after(() => queue.close())

    const insert = (row: TableRow) =>
      insertRow(queue.database, jobsTable.spec, {
        ...{ name: 'test.work', status: 'active', payload: {}, attempts: 1, max_attempts: 2, progress: 0 },
        ...{ is_cancel_requested: false, run_at: long, created_at: long, lease_until: long, ...row },
      })
    const rename = (from: string, to: string) =>
      queue.database.run(
        queue.database.prepare(sql`alter table ${sql.identifier(from)} rename to ${sql.identifier(to)}`),
      )

    /** A timer with a lease of this many milliseconds, and what it reported. */
    function timerWith(lease: number) {
      const { database, kinds, mailboxes } = queue
      const { log, lines } = recordingLog()
      const reported = { ended: [] as number[], reclaimed: 0, lines }
      const config = {
        get: (setting: { default: unknown }) => (setting === leaseMs ? lease : setting.default),
      } as unknown as Config
      const timer = createMaintenanceTimer({
        ...{ config, log, maintenance: createMaintenance({ database, kinds, mailboxes, leaseMs: lease }) },
        async onGivenUp(id) {
          reported.ended.push(id)
          await queue.store.markReported(id)
        },
        onReclaimed: () => reported.reclaimed++,
      })
      return { ...timer, reported }
    }

    it('begin at the start with what others have left, and with what is too old', async () => {
      const lost = await insert({})
      const used = await insert({ attempts: 2 })
      const old = await insert({ status: 'completed', finished_at: long })
      const { start, stop, reported } = timerWith(3_600_000)
      start()
      await until(() => reported.ended.length > 0 && reported.reclaimed > 0)
      await until(async () => (await queue.store.find(old)) === undefined)
      await stop()
      assert.deepEqual([reported.ended, reported.reclaimed], [[used], 1])
      assert.equal((await queue.find(lost)).status, 'waiting')
    })

    it('come again several times in a lease, also after one that failed', async () => {
      const { start, stop, reported } = timerWith(60)
      await rename('svc_jobs', 'away')
      start()
      await until(() => reported.lines.some(({ level, err }) => level === 'warn' && err !== undefined))
      await rename('away', 'svc_jobs')
      for (let run = 1; run <= 3; run++) {
        await insert({})
        await until(() => reported.reclaimed === run)
      }
      assert.deepEqual(reported.ended, [])
      await stop()
    })
  })
})
