import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { nextRun } from '../../core-plugins/background/schedules/cron.ts'
import { defineSchedule, schedules } from '../../core-plugins/background/schedules/schedules.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type DatabaseUnderTest, eachDatabase, type TestDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type JobsWorld, startJobsWorld, testKind } from './jobs-world.ts'

describe('cron expressions', () => {
  it('mean the time of their zone, also when its clocks change', () => {
    const berlin = (from: string) => nextRun('0 3 * * *', 'Europe/Berlin', new Date(from))
    assert.equal(berlin('2026-01-10T12:00:00Z'), '2026-01-11T02:00:00.000Z')
    assert.equal(berlin('2026-07-10T12:00:00Z'), '2026-07-11T01:00:00.000Z')
  })

  it('are never due when no such day comes', () => {
    assert.equal(nextRun('0 0 31 2 *', 'UTC', new Date()), null)
  })
})

eachDatabase((engine: DatabaseUnderTest) => {
  describe('schedules', () => {
    const kinds = [0, 1].map(() => testKind('test.tick', { maxAttempts: 1 }))
    let database: TestDatabase
    let worlds: JobsWorld[]

    before(async () => {
      database = await engine.createUrl()
      worlds = []
      for (const { kind } of kinds) {
        const plugin = definePlugin({
          name: 'test-schedules',
          description: 'Schedules for tests',
          register({ contribute }) {
            contribute(
              schedules,
              defineSchedule({ name: 'test.yearly', kind, payload: {}, cronExpression: '0 0 1 1 *' }),
            )
            contribute(
              schedules,
              defineSchedule({
                name: 'test.off',
                kind,
                payload: {},
                cronExpression: '* * * * * *',
                enabled: false,
              }),
            )
          },
        })
        const own = kinds[worlds.length] as (typeof kinds)[number]
        worlds.push(await startJobsWorld([own], { database: { url: database.url }, plugins: [plugin] }))
      }
    })
    after(async () => {
      for (const world of worlds) await world.stop()
      await database.drop()
    })

    const admin = () => (worlds[0] as JobsWorld).admin
    const path = '/api/admin/scheduled-jobs'

    async function find(name: string) {
      const { status, body } = await admin().get(path)
      assert.equal(status, 200)
      return body.data.find((schedule: { name: string }) => schedule.name === name)
    }

    /** What all runners have run. */
    function countRuns() {
      const runs = { count: 0 }
      for (const kind of kinds) kind.does(() => void runs.count++)
      return runs
    }

    async function makeDue(name: string): Promise<void> {
      const database = (worlds[0] as JobsWorld).kernel.get(databaseService)
      const past = database.dialect.placeholder('past', 'datetime')
      await database.run(
        database.prepare(sql`update svc_schedules set next_run_at = ${past} where name = ${name}`),
        { past: database.dialect.bind('2020-01-01T00:00:00.000Z', 'datetime') },
      )
    }

    it('are listed with their times', async () => {
      const yearly = await find('test.yearly')
      assert.equal(yearly.cronExpression, '0 0 1 1 *')
      assert.equal(yearly.enabled, true)
      assert.equal(yearly.timezone, 'UTC')
      assert.match(yearly.nextRunAt, /-01-01T00:00:00\.000Z$/)
      assert.equal(yearly.lastRunAt, null)
      assert.equal((await find('test.off')).nextRunAt, null)
    })

    it('run once for all that was missed, and once over all processes', async () => {
      const runs = countRuns()
      await makeDue('test.yearly')
      await until(async () => (await find('test.yearly')).lastStatus === 'completed', 'it has run')
      assert.equal(runs.count, 1)
      const yearly = await find('test.yearly')
      assert.match(yearly.nextRunAt, /-01-01T00:00:00\.000Z$/)
      assert.ok(Date.parse(yearly.nextRunAt) > Date.now())
    })

    it('run on every tick, each once over all processes', slow, async () => {
      const ticks: string[] = []
      for (const kind of kinds) kind.does((_, { job }) => void ticks.push(job.createdAt.slice(0, 19)))
      const { id } = await find('test.off')
      assert.equal((await admin().put(`${path}/${id}`, { enabled: true })).body.data.enabled, true)
      await until(() => ticks.length >= 3, 'it ticks')
      const stopped = await admin().put(`${path}/${id}`, { enabled: false })
      assert.equal(stopped.body.data.nextRunAt, null)
      assert.equal(new Set(ticks).size, ticks.length, `each second once: ${ticks}`)
    })

    it('can be run by hand', async () => {
      const runs = countRuns()
      const { id } = await find('test.yearly')
      const { status, body } = await admin().post(`${path}/${id}/run`)
      assert.equal(status, 202)
      const job = await (worlds[0] as JobsWorld).jobs.finished(body.data.jobId)
      assert.equal(job.status, 'completed')
      assert.equal(runs.count, 1)
    })

    it('take other times, and keep them over a restart', async () => {
      const { id } = await find('test.yearly')
      const { body } = await admin().put(`${path}/${id}`, { cronExpression: '30 4 1 6 *' })
      assert.match(body.data.nextRunAt, /-06-01T04:30:00\.000Z$/)
      const again = await startJobsWorld([testKind('test.tick')], {
        database: { url: database.url },
        plugins: [
          definePlugin({
            name: 'test-schedules',
            description: 'As before',
            register({ contribute }) {
              const { kind } = testKind('test.tick')
              contribute(
                schedules,
                defineSchedule({ name: 'test.yearly', kind, payload: {}, cronExpression: '0 0 1 1 *' }),
              )
            },
          }),
        ],
      })
      const { body: listed } = await again.admin.get(path)
      await again.stop()
      const yearly = listed.data.find((schedule: { name: string }) => schedule.name === 'test.yearly')
      assert.equal(yearly.cronExpression, '30 4 1 6 *')
      assert.match(yearly.nextRunAt, /-06-01T04:30:00\.000Z$/)
    })

    it('refuse what is no cron expression, or never due, and unknown ids', async () => {
      const { id } = await find('test.yearly')
      for (const cronExpression of [
        ...['nonsense', '99 * * * *', '0 0 31 2 *', '* * *', '', 7],
        ...['2099-01-31T08:00:00', '0 0 3 * * * 2099', '+1 3 * * *', '0 0 13 * +FRI'],
      ]) {
        const { status, body } = await admin().put(`${path}/${id}`, { cronExpression })
        assert.equal(status, 400, `${cronExpression}: ${JSON.stringify(body)}`)
        assert.equal(body.error.details[0].path, 'cronExpression')
      }
      assert.equal((await admin().put(`${path}/999999`, { enabled: true })).status, 404)
      assert.equal((await admin().post(`${path}/999999/run`)).status, 404)
    })
  })
})
