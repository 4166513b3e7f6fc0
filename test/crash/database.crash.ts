import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startMysql, startPostgres, type TestServer } from '../support/database-servers.ts'
import { runOnMysql, runOnPostgres } from '../support/databases.ts'
import { openUrl } from '../support/open-test-database.ts'
import { withProject } from '../support/process.ts'
import { areServicesRequired } from '../support/scope.ts'
import { type CrashWorld, crashTimeoutMs, createWorld, hasty, type Running } from './crash-test.ts'
import { eventually } from './eventually.ts'
import { seed } from './kill-plan.ts'
import { breathe, type LoadClient, NoAnswer, startLoad, tellingUnavailable } from './load.ts'
import { createNoteJournal, noteSchemas } from './note-journal.ts'
import { expectDelivered, startNoteReceiver, subscribe } from './note-receiver.ts'
import { createRandom } from './random.ts'
import { checkNothingRuns, storedJobs, storedNotes } from './remains.ts'

interface Engine {
  readonly name: 'postgres' | 'mysql'
  start(): Promise<TestServer | undefined>
  /** Makes a database on the server and tells its address. */
  createDatabase(server: TestServer): Promise<string>
}

const databaseName = 'crashed'

const engines: readonly Engine[] = [
  {
    name: 'postgres',
    start: startPostgres,
    async createDatabase({ url, port }) {
      await runOnPostgres(url, `create database ${databaseName}`)
      return `postgres://postgres@127.0.0.1:${port}/${databaseName}`
    },
  },
  {
    name: 'mysql',
    start: startMysql,
    async createDatabase({ url }) {
      await runOnMysql(url, `create database ${databaseName} character set utf8mb4`)
      return `${url}${databaseName}`
    },
  },
]

const kills = 2
const clients = 4
const longestLoadMs = 700
/** From the moment at which the server answers again to the first write that is acknowledged. */
const longestReturnMs = 5_000
const env = { ...hasty, SVC_WEBHOOKS_RETRY_DELAYS: '[10, 10, 10, 10]' }

for (const engine of engines) {
  it(`${engine.name}, whose server is killed ${kills} times`, { timeout: crashTimeoutMs }, async (test) => {
    const server = await engine.start()
    if (server === undefined && areServicesRequired()) throw new Error(`there is no ${engine.name} to kill`)
    if (server === undefined) return test.skip(`no binaries of ${engine.name}`)
    try {
      // It listens before it takes queries.
      const url = await eventually(() => engine.createDatabase(server))
      await withProject({ database: { url }, schemas: noteSchemas, env }, async (project) => {
        const random = createRandom(`${seed} database ${engine.name}`)
        const world = createWorld(project, engine.name, random)
        await killRepeatedly(world, server, url)
      })
    } catch (error) {
      throw new Error(`the ${engine.name} server died with CRASH_SEED=${seed}`, { cause: error })
    } finally {
      await server.stop()
    }
  })
}

async function killRepeatedly(world: CrashWorld, server: TestServer, url: string): Promise<void> {
  const running = await world.start()
  const journal = createNoteJournal()
  const receiver = await startNoteReceiver(world.random, 0)
  try {
    const webhooks = await subscribe(running.client, [receiver])
    for (let count = 0; count < kills; count++) await killUnderLoad(world, { running, server, url, journal })
    await eventually(() => expectDelivered(running.client, webhooks))
    await world.look(async (database) => {
      const told = receiver.told()
      journal.check(told)
      assert.deepEqual(await storedNotes(database), journal.left(told), 'the notes are as was told')
      checkNothingRuns(await storedJobs(database))
    })
  } finally {
    await receiver.close()
  }
}

interface ServerDeath {
  readonly running: Running
  readonly server: TestServer
  readonly url: string
  readonly journal: ReturnType<typeof createNoteJournal>
}

async function killUnderLoad(world: CrashWorld, { running, server, url, journal }: ServerDeath) {
  const { random } = world
  const processes = [tellingUnavailable(running.client)]
  const load = startLoad({ work: undeterred(journal.work), clients, random, processes })
  try {
    await load.acknowledges(clients)
    await delay(random.below(longestLoadMs))
    await server.kill()
    await server.restart()
    await untilItAnswers(url)
    const backAt = performance.now()
    await load.acknowledges(clients)
    const tookMs = performance.now() - backAt
    assert.ok(tookMs < longestReturnMs, `${tookMs} ms until something was written again`)
  } finally {
    await load.end()
  }
}

/** Begins anew whenever a request failed for want of the database. */
const undeterred = (work: (load: LoadClient) => Promise<void>) => async (load: LoadClient) => {
  while (!load.isOver()) {
    await work(load).catch((error) => {
      if (!(error instanceof NoAnswer)) throw error
    })
    await breathe()
  }
}

async function untilItAnswers(url: string): Promise<void> {
  const driver = await eventually(() => openUrl(url))
  await driver.close()
}
