import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { createConnection } from 'mysql2/promise'
import postgres from 'postgres'
import { type ConnectionLoad, databaseService } from '../../core-plugins/database/database.ts'
import { schemasService } from '../../core-plugins/schemas/schemas.ts'
import type { Answer, Client } from '../support/client.ts'
import { type DatabaseUnderTest, eachDatabase, type TestDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { dearPath, isRefused, notesPath, type OverloadWorld, startWorld } from './overload-world.ts'

/** Answers as they arrive; nobody waits for those that a lock holds up. */
function startAnswers() {
  const sent: Promise<void>[] = []
  const answers: Answer[] = []
  return {
    answers,
    ask(client: Client, path = notesPath): void {
      sent.push(client.get(path).then((answer) => void answers.push(answer)))
    },
    all: () => Promise.all(sent),
  }
}

function loadOf(service: TestService, use: ConnectionLoad['use']): ConnectionLoad {
  const load = service.kernel.get(databaseService).load()
  return load.find((each) => each.use === use) ?? assert.fail(`nothing is known of ${use}`)
}

/** Has every read of notes wait until the result is called. */
async function lockNotes({ name }: DatabaseUnderTest, url: string, service: TestService) {
  const table = service.kernel.get(schemasService).types.get('note')?.table
  if (name === 'mysql') {
    const connection = await createConnection(url)
    await connection.query(`lock tables \`${table}\` write`)
    return () => connection.end()
  }
  const sql = postgres(url, { max: 1 })
  await sql.unsafe('begin')
  await sql.unsafe(`lock table "${table}" in access exclusive mode`)
  return () => sql.end()
}

eachDatabase((engine) => {
  // Reads of SQLite have nothing to wait for but the event loop.
  if (engine.name === 'sqlite') return

  describe('queries that wait for a connection', () => {
    let database: TestDatabase
    let world: OverloadWorld
    let unlock = async () => {}

    const start = async (env: Record<string, string>) => {
      database = await engine.createUrl()
      world = await startWorld({ database, env })
    }
    afterEach(async () => {
      await unlock()
      unlock = async () => {}
      await world.service.stop()
      await database.drop()
    })

    it('are an overload if they go on waiting; all are served once they do not', async () => {
      const env = {
        SVC_DATABASE_POOL_SIZE: '1',
        SVC_OVERLOAD_TARGET_MS: '50',
        SVC_OVERLOAD_INTERVAL_MS: '50',
      }
      await start(env)
      const { service } = world
      unlock = await lockNotes(engine, database.url, service)
      const { answers, ask, all } = startAnswers()
      await until(() => {
        if (answers.length === 0) ask(service)
        return answers.some(isRefused)
      }, 'a refusal')
      assert.equal((await service.get('/api/livez')).status, 200)
      await unlock()
      unlock = async () => {}
      await all()
      await until(async () => (await service.get(notesPath)).status === 200, 'reads are served again')
    })

    it('of strangers leave half of the connections free while a service warms up', async () => {
      const env = { SVC_DATABASE_POOL_SIZE: '4', SVC_OVERLOAD_WARM_UP_MS: '600000' }
      await start({ ...env, SVC_OVERLOAD_TARGET_MS: '60000' })
      const { service, token } = world
      unlock = await lockNotes(engine, database.url, service)
      const { answers, ask, all } = startAnswers()
      for (let i = 0; i < 6; i += 1) ask(service)
      // A list needs two connections: for its page and for the total.
      await until(() => loadOf(service, 'queries').busy === 2, 'one list')
      ask(token, `${notesPath}/1`)
      assert.equal((await service.get('/api/livez')).status, 200)
      const isThird = ({ busy, waiting }: ConnectionLoad) => busy === 3 && waiting === 0
      await until(() => isThird(loadOf(service, 'queries')), 'a third read, and none that waits')
      await unlock()
      unlock = async () => {}
      await all()
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(7).fill(200),
      )
    })
  })
})

const body = 'Nothing of what is looked for. '.repeat(4_000)

/** Seconds of work for any database; it is never waited for. */
function endlessPath(): string {
  const filters = Array.from({ length: 300 }, (_, i) => `filters[$or][${i}][body][$containsi]=zz${i}`)
  return `${notesPath}?fields=id&${filters.join('&')}`
}

async function pressureOf({ admin }: TestService): Promise<number> {
  const { body } = await admin.get('/api/metrics')
  return Number(/^mortise_overload_pressure (\S+)$/m.exec(body)?.[1])
}

eachDatabase((engine) => {
  describe('one costly query, asked for over and over', () => {
    let world: OverloadWorld

    before(async () => {
      const env = {
        SVC_API_QUERY_MAX_WEIGHT: '1000000',
        SVC_DATABASE_COSTLY_POOL_SIZE: '2',
        SVC_DATABASE_READ_TIMEOUT_MS: '600000',
        SVC_DATABASE_WAIT_TIMEOUT_MS: '600000',
        // More than other queries ever wait, so that nothing else is refused.
        SVC_OVERLOAD_TARGET_MS: '100',
        SVC_OVERLOAD_INTERVAL_MS: '50',
        // Whether the rest is late is nothing to this test.
        SVC_OVERLOAD_LOOP_DELAY_MS: '60000',
      }
      world = await startWorld({ database: engine.name, env })
      for (let i = 0; i < 60; i += 1) await world.service.admin.post(notesPath, { body: `${body}${i}` })
    })
    after(() => world.service.stop())

    it('gets no more than half of the connections while others wait, whoever asks', async () => {
      const { service, token, tokenText } = world
      const leaving = new AbortController()
      const send = (path: string) =>
        void fetch(service.url + path, {
          headers: { authorization: `Bearer ${tokenText}` },
          signal: leaving.signal,
        }).catch(() => undefined)
      const waiting = () => loadOf(service, 'costly reads').waiting
      for (let i = 0; i < 10; i += 1) send(endlessPath())
      await until(() => waiting() >= 6, 'a queue')
      await until(async () => (await pressureOf(service)) >= 1, 'the pressure rises')
      assert.ok(isRefused(await service.get(endlessPath())), 'strangers are refused')
      const refused = await token.get(endlessPath())
      assert.ok(isRefused(refused), `${refused.status}`)
      assert.match(
        refused.body.error.message,
        /half of the connections already: .*, and ask for less at a time/,
      )
      const other = token.get(dearPath)
      assert.equal((await token.get(`${notesPath}?limit=1&fields=id`)).status, 200)
      leaving.abort()
      assert.equal((await other).status, 200)
      await until(() => loadOf(service, 'costly reads').busy === 0, 'nothing is running')
      await until(async () => (await service.get(`${notesPath}?limit=1&fields=id`)).status === 200)
    })
  })
})
