import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { createConnection } from 'mysql2/promise'
import postgres from 'postgres'
import { type ConnectionLoad, databaseService } from '../../core-plugins/foundation/database/database.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import type { Answer, Client } from '../support/client.ts'
import { type DatabaseUnderTest, eachDatabase, type TestDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { isRefused, notesPath, type OverloadWorld, startWorld } from './overload-world.ts'

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
