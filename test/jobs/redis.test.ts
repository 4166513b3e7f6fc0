import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { signalsService } from '../../core-plugins/foundation/signals/signals.ts'
import { databasesUnderTest, type TestDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { redisEnv, withRedis } from '../support/redis.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { gate, type JobsWorld, startJobsWorld, testKind } from './jobs-world.ts'

const postgres = (await databasesUnderTest()).find(({ name }) => name === 'postgres')

/** The poll interval of the processes; a minute is the maximum. */
const pollIntervalMs = 60_000

it('reach the runners over PostgreSQL while Redis is gone', { skip: postgres === undefined }, async () => {
  if (postgres === undefined) return
  const elsewhere = testKind('test.elsewhere')
  const database = await postgres.createUrl()
  const env = {
    ...redisEnv(`redis://127.0.0.1:${await freePort()}`),
    SVC_JOBS_POLL_INTERVAL_MS: String(pollIntervalMs),
  }
  const start = (role: string) =>
    startJobsWorld([elsewhere], {
      database: { url: database.url },
      env: { ...env, SVC_ROLE: role },
    })
  const runner = await start('all')
  const web = await start('web')
  try {
    await until(() => [web, runner].every(({ kernel }) => kernel.get(signalsService).isConnected))
    const startedAtMs = performance.now()
    const id = await web.inTransaction((tx) => web.jobs.enqueue(tx, elsewhere.kind, {}))
    assert.equal((await web.jobs.finished(id)).status, 'completed')
    assert.ok(performance.now() - startedAtMs < pollIntervalMs / 2)
  } finally {
    for (const world of [web, runner]) await world.stop()
    await database.drop()
  }
})

withRedis('jobs dispatched over Redis', (redisUrl) => {
  const kinds = [0, 1].map(() => testKind('test.shared', { concurrency: 4, maxAttempts: 3 }))
  let proxy: TcpProxy
  let database: TestDatabase
  let worlds: JobsWorld[]

  before(async () => {
    proxy = await startTcpProxy(Number(new URL(redisUrl).port || 6379))
    const engine = (await databasesUnderTest()).at(-1)
    if (engine === undefined) throw new Error('there is no database')
    database = await engine.createUrl()
    worlds = []
    const redis = redisEnv(`redis://127.0.0.1:${proxy.port}`)
    // The second process polls far too rarely for that to make the first test pass.
    for (const [index, pollIntervalMs] of ['200', '60000'].entries()) {
      const env = { ...redis, SVC_JOBS_POLL_INTERVAL_MS: pollIntervalMs }
      const kind = kinds[index] as (typeof kinds)[number]
      worlds.push(await startJobsWorld([kind], { database: { url: database.url }, env }))
    }
  })
  after(async () => {
    for (const world of worlds) await world.stop()
    await proxy.close()
    await database.drop()
  })

  const [first, second] = kinds as [(typeof kinds)[0], (typeof kinds)[0]]
  const world = () => worlds[0] as JobsWorld
  /** The test's own jobs; the service has some, too. */
  const stats = async () => {
    const { byName } = await world().jobs.stats()
    return byName['test.shared'] ?? { completed: 0, waiting: 0 }
  }
  const enqueue = (count: number) =>
    world().inTransaction((tx) =>
      world().jobs.enqueueMany(
        tx,
        first.kind,
        Array.from({ length: count }, (_, value) => ({ payload: { value } })),
      ),
    )

  it('go to another process while this one is busy', async () => {
    const busy = gate()
    first.does(() => busy.opened)
    const ranElsewhere: unknown[] = []
    second.does((value) => void ranElsewhere.push(value))
    await enqueue(60)
    await until(() => ranElsewhere.length >= 56, 'the other process does the rest')
    busy.open()
    await until(async () => (await stats()).completed === 60, 'all have run')
  })

  it('run in full when Redis dies in the middle, and go on with it when it is back', async () => {
    const runs = new Map<unknown, number>()
    const count = (value: unknown) => void runs.set(value, (runs.get(value) ?? 0) + 1)
    const completedBefore = (await stats()).completed
    const half = gate()
    for (const kind of [first, second]) {
      kind.does(async (value) => {
        count(value)
        // By number, not by value: processes that claim at the same time skip each other's rows.
        if (runs.size > 80) await half.opened
      })
    }
    await enqueue(200)
    await until(() => runs.size >= 80, 'it is in the middle')
    await proxy.cut()
    half.open()
    const extra = await world().inTransaction((tx) =>
      world().jobs.enqueue(tx, first.kind, { value: 'cut off' }),
    )
    assert.equal((await world().jobs.finished(extra)).status, 'completed')
    const done = completedBefore + 201
    await until(async () => (await stats()).completed === done, 'all have run')
    assert.deepEqual(new Set(runs.values()), new Set([1]))

    await proxy.mend()
    const busy = gate()
    first.does(() => busy.opened)
    let ranElsewhere = 0
    second.does(() => void ranElsewhere++)
    await until(async () => {
      await enqueue(10)
      return ranElsewhere > 0
    }, 'tickets reach the other process again')
    busy.open()
    await until(async () => (await stats()).waiting === 0, 'all have run')
  })
})
