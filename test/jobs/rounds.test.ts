import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Config } from '../../core-plugins/config/config.ts'
import { createRounds } from '../../core-plugins/jobs/rounds.ts'
import { leaseMs } from '../../core-plugins/jobs/settings.ts'
import { createSweep } from '../../core-plugins/jobs/sweep.ts'
import { jobsTable } from '../../core-plugins/jobs/tables.ts'
import { eachDatabase } from '../support/databases.ts'
import { recordingLog } from '../support/recording-log.ts'
import { insertRow, type TableRow } from '../support/table-rows.ts'
import { until } from '../support/until.ts'
import { testKind } from './jobs-world.ts'
import { openQueue, type Queue } from './open-queue.ts'

const long = '2020-01-01T00:00:00.000Z'

eachDatabase((engine) => {
  describe('rounds', () => {
    const work = testKind('test.work')
    let queue: Queue

    before(async () => {
      queue = await openQueue(engine, [work])
    })
    after(() => queue.close())

    const insert = (row: TableRow) =>
      insertRow(queue.database, jobsTable, {
        ...{ name: 'test.work', status: 'active', payload: {}, attempts: 1, max_attempts: 2, progress: 0 },
        ...{ is_cancel_requested: false, run_at: long, created_at: long, lease_until: long, ...row },
      })
    const rename = (from: string, to: string) =>
      queue.database.run(
        queue.database.prepare(sql`alter table ${sql.identifier(from)} rename to ${sql.identifier(to)}`),
      )

    /** Rounds with a lease of so many milliseconds, and what they have told. */
    function roundsWith(lease: number) {
      const { database, kinds, mailboxes } = queue
      const { log, lines } = recordingLog()
      const told = { ended: [] as number[], reclaimed: 0, lines }
      const config = {
        get: (setting: { default: unknown }) => (setting === leaseMs ? lease : setting.default),
      } as unknown as Config
      const rounds = createRounds({
        ...{ config, log, sweep: createSweep({ database, kinds, mailboxes, leaseMs: lease }) },
        onGivenUp: async (id) => void told.ended.push(id),
        onReclaimed: () => told.reclaimed++,
      })
      return { ...rounds, told }
    }

    it('begin at the start with what others have left, and with what is too old', async () => {
      const lost = await insert({})
      const used = await insert({ attempts: 2 })
      const old = await insert({ status: 'completed', finished_at: long })
      const { start, stop, told } = roundsWith(3_600_000)
      start()
      await until(() => told.ended.length > 0 && told.reclaimed > 0)
      await until(async () => (await queue.store.find(old)) === undefined)
      await stop()
      assert.deepEqual([told.ended, told.reclaimed], [[used], 1])
      assert.equal((await queue.find(lost)).status, 'waiting')
    })

    it('come again several times in a lease, also after one that failed', async () => {
      const { start, stop, told } = roundsWith(60)
      await rename('svc_jobs', 'away')
      start()
      await until(() => told.lines.some(({ level, err }) => level === 'warn' && err !== undefined))
      await rename('away', 'svc_jobs')
      for (let round = 1; round <= 3; round++) {
        await insert({})
        await until(() => told.reclaimed === round)
      }
      assert.deepEqual(told.ended, [])
      await stop()
    })
  })
})
