import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { gate, startJobsWorld, testKind } from './jobs-world.ts'

/** A route that makes a job which kills the process. */
const poison = `
import { databaseService, defineJob, definePlugin, defineRoute, jobKinds, jobsService, routes } from 'mortise/plugin'
const kind = defineJob({
  name: 'poison.swallow',
  payload: { type: 'object', additionalProperties: false },
  maxAttempts: 100,
  maxDeaths: 2,
  run: () => process.kill(process.pid, 'SIGKILL'),
})
export default definePlugin({
  name: 'poison',
  description: 'Kills its process',
  uses: { jobs: jobsService, database: databaseService },
  init({ services, contribute }) {
    contribute(jobKinds, kind)
    contribute(routes, defineRoute({
      name: 'poison:jobs.create', method: 'POST', path: '/swallow', access: 'open', summary: 'Kills',
      handler: () => services.database.transaction((tx) => services.jobs.enqueue(tx, kind, {})),
    }))
  },
})`

describe('a job in which processes die', () => {
  it(
    'fails with an alert when it has killed as many as its kind may, and the next process stays up',
    slow,
    () =>
      withProject(
        {
          schemas: {},
          files: { ...moduleProject, 'plugins/poison/plugin.ts': poison },
          env: { SVC_JOBS_LEASE_MS: '300', SVC_JOBS_POLL_INTERVAL_MS: '20' },
        },
        async (project) => {
          const first = startProcess({ project })
          const client = await first.signIn()
          await client.post('/api/x/poison/swallow').catch(() => undefined)
          assert.equal((await first.exited).signal, 'SIGKILL')
          const second = startProcess({ project })
          assert.equal((await second.exited).signal, 'SIGKILL')
          const third = startProcess({ project })
          const admin = await third.signIn()
          const list = async (path: string) => (await admin.get(path)).body.data
          await until(async () => (await list('/api/admin/jobs?name=poison.swallow'))[0]?.status === 'failed')
          const [job] = await list('/api/admin/jobs?name=poison.swallow')
          assert.equal(job.attempts, 2)
          assert.match(job.error, /the process that ran it died/)
          await until(async () => (await list('/api/admin/operational-alerts?kind=job_failed')).length === 1)
          await third.end('SIGTERM')
        },
      ),
  )

  it('runs beside no other such job, and beside all else', async () => {
    const [suspects, others] = [
      testKind('test.suspect', { concurrency: 8, maxAttempts: 100 }),
      testKind('test.other', { concurrency: 8 }),
    ]
    const world = await startJobsWorld([suspects, others], { env: { SVC_JOBS_POLL_INTERVAL_MS: '20' } })
    try {
      const [mayEnd, hasRun] = [gate(), gate()]
      let running = 0
      let most = 0
      suspects.does(async () => {
        most = Math.max(most, ++running)
        await mayEnd.opened
        running -= 1
      })
      others.does(() => hasRun.open())
      const database = world.kernel.get(databaseService)
      await world.inTransaction(async (tx) => {
        await world.jobs.enqueueMany(tx, suspects.kind, [{ payload: {} }, { payload: {} }, { payload: {} }])
        await tx.run(database.prepare(sql`update svc_jobs set deaths = 2 where name = 'test.suspect'`))
      })
      await until(() => running === 1, 'a suspect runs')
      await world.inTransaction((tx) => world.jobs.enqueue(tx, others.kind, {}))
      await hasRun.opened
      mayEnd.open()
      await until(async () => (await world.jobs.stats()).byName['test.suspect']?.completed === 3)
      assert.equal(most, 1)
    } finally {
      await world.stop()
    }
  })
})
