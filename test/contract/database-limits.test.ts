import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { synchronize } from '../../core-plugins/foundation/database/sync/synchronize.ts'
import type { Answer } from '../support/client.ts'
import { type DatabaseUnderTest, eachDatabase, runOnMysql, runOnPostgres } from '../support/databases.ts'
import { openUrl } from '../support/open-test-database.ts'
import { startProcess, withProject } from '../support/process.ts'
import { startService } from '../support/service.ts'

/** Makes an account that may have so many connections, and answers the address with it. */
const limitConnections: Readonly<Record<string, (url: string, limit: number) => Promise<string>>> = {
  async postgres(url, limit) {
    const role = accountName()
    await runOnPostgres(url, `create role ${role} login connection limit ${limit}`)
    await runOnPostgres(url, `grant all on schema public to ${role}`)
    return as(url, role)
  },
  async mysql(url, limit) {
    const user = accountName()
    await runOnMysql(url, `create user ${user}@'%' with max_user_connections ${limit}`)
    await runOnMysql(url, `grant all on ${new URL(url).pathname.slice(1)}.* to ${user}@'%'`)
    return as(url, user)
  },
}

const removals: Readonly<Record<string, (url: string, user: string) => Promise<void>>> = {
  async postgres(url, role) {
    await runOnPostgres(url, `drop owned by ${role} cascade`)
    await runOnPostgres(url, `drop role ${role}`)
  },
  mysql: (url, user) => runOnMysql(url, `drop user ${user}@'%'`),
}

const accountName = () => `limited_${randomBytes(4).toString('hex')}`

function as(url: string, user: string): string {
  const own = new URL(url)
  own.username = user
  own.password = ''
  return own.href
}

async function withLimit(database: DatabaseUnderTest, limit: number, work: (url: string) => Promise<void>) {
  const { url, drop } = await database.createUrl()
  const own = await limitConnections[database.name]?.(url, limit)
  try {
    await work(own as string)
  } finally {
    await removals[database.name]?.(url, new URL(own as string).username)
    await drop()
  }
}

const table = {
  name: 'notes',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'text', kind: 'string' },
  ],
} as const

const requests = 60

/** Reads and writes at the same time; more of both than there may be connections. */
async function readAndWrite(driver: Driver): Promise<void> {
  const count = driver.prepare<{ count: number }>(sql`select count(*) as count from notes`, {
    count: 'integer',
  })
  const insert = driver.prepare(sql`insert into notes (text) values ('x')`)
  const write = () =>
    driver.transaction(async (tx) => {
      await tx.get(count)
      await tx.run(insert)
    })
  await Promise.all(Array.from({ length: requests }, (_, index) => (index % 2 ? write() : driver.get(count))))
  assert.equal((await driver.get(count))?.count, requests / 2)
}

eachDatabase((database) => {
  if (database.name === 'sqlite') return

  for (const limit of [1, 2, 4]) {
    it(`makes do with ${limit} of the connections that it would have`, async () => {
      await withLimit(database, limit, async (url) => {
        const driver = await openUrl(url, { poolSize: 5, transactionPoolSize: 5, waitTimeoutMs: 20_000 })
        try {
          driver.useTables([table])
          await synchronize(driver, [table])
          await readAndWrite(driver)
        } finally {
          await driver.close()
        }
      })
    })
  }

  it('starts a service with one connection', async () => {
    await withLimit(database, 1, async (url) => {
      await withProject({ database: { url } }, async (project) => {
        await startProcess({ project }).ready()
      })
    })
  })

  it('serves reads and writes with three connections', async () => {
    await withLimit(database, 3, async (url) => {
      const service = await startService({ database: { url }, env })
      try {
        const requests = Array.from({ length: 20 }, (_, index) => [
          service.admin.get('/api/content/article'),
          service.admin.post('/api/content/article', { title: 'One', slug: `one-${index}` }),
        ])
        assert.deepEqual(statusesOf(await Promise.all(requests.flat())), [200, 201])
      } finally {
        await service.stop()
      }
    })
  })
})

/** Machines that run tests are busy. */
const env = { SVC_DATABASE_WAIT_TIMEOUT_MS: '30000' }

const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort()
