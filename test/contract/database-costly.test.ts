import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { OpenOptions } from '../../core-plugins/foundation/database/connections/open-database.ts'
import {
  DatabaseError,
  type DatabaseErrorKind,
  type DialectName,
} from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'

const notes = {
  name: 'notes',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'title', kind: 'string' },
  ],
} as const

const numbers = (until: ReturnType<typeof sql>) =>
  sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers ${until})
    select count(*) as slow_read from numbers where fold('x' || n) = 'y'`

/** Far longer than any test waits. */
const endless: Readonly<Record<DialectName, ReturnType<typeof sql>>> = {
  sqlite: numbers(sql``),
  postgres: sql`select pg_sleep(3600)::text as slow_read`,
  // Not `sleep`: the server ends that by itself with its connection.
  mysql: sql`select benchmark(1000000000000, sha2('x', 256)) as slow_read`,
}

/** Longer than the time limit of these tests. */
const slowQueries: typeof endless = {
  sqlite: numbers(sql`where n < 500000`),
  postgres: sql`select pg_sleep(0.3)::text as slow_read`,
  mysql: sql`select sleep(0.3) as slow_read`,
}
const shortTimeoutMs = 100

/** No time limit ends what is to be ended by something else; threads start slowly where machines are busy. */
const patient = { readTimeoutMs: 600_000, waitTimeoutMs: 60_000 }

/** How many such reads the server is busy with; a thread of SQLite is busy until it has ended. */
const running: Readonly<Record<DialectName, (driver: Driver) => Promise<number>>> = {
  sqlite: async (driver) => loadOf(driver).busy,
  postgres: (driver) =>
    countOf(
      driver,
      sql`select count(*) as "count" from pg_stat_activity where datname = current_database()
        and state = 'active' and pid <> pg_backend_pid() and query like '%slow_read%'`,
    ),
  mysql: async (driver) =>
    countOf(
      driver,
      sql`select count(*) as "count" from ${sql.raw(await sessionsOfMysql(driver))} where db = database()
        and id <> connection_id() and info like '%slow_read%'`,
    ),
}

/** MySQL fails on its older table, which has no room for an emoji, while any session's statement has one. */
async function sessionsOfMysql(driver: Driver): Promise<string> {
  const row = await driver.get(driver.prepare<{ version: string }>(sql`select version() as version`))
  return /mariadb/i.test(row?.version ?? '')
    ? 'information_schema.processlist'
    : 'performance_schema.processlist'
}

function loadOf(driver: Driver) {
  const load = driver.load().find(({ use }) => use === 'costly reads')
  return load ?? assert.fail('the driver tells nothing of costly reads')
}

async function countOf(driver: Driver, query: ReturnType<typeof sql>): Promise<number> {
  const row = await driver.get(driver.prepare<{ count: number }>(query, { count: 'integer' }))
  return Number(row?.count)
}

const isOfKind = (kind: DatabaseErrorKind, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof DatabaseError)
  assert.equal(error.kind, kind)
  assert.match(error.message, message)
  return true
}

eachDatabase((database) => {
  async function withDriver(options: Partial<OpenOptions>, work: (driver: Driver) => Promise<void>) {
    const { driver, close } = await openTestDatabase(database, [notes], { ...patient, ...options })
    try {
      await work(driver)
    } finally {
      await close()
    }
  }

  const runningOn = running[database.name]
  const untilRunning = (driver: Driver, count: number) =>
    until(async () => (await runningOn(driver)) === count)

  /** Begins a read that never ends by itself. */
  function begin(driver: Driver) {
    const recipient = new AbortController()
    const statement = driver.prepare(endless[database.name], {}, { isCostly: true })
    let isOver = false
    const read = Promise.resolve(driver.all(statement, {}, recipient)).finally(() => {
      isOver = true
    })
    read.catch(() => undefined)
    return { read, leave: () => recipient.abort(), isOver: () => isOver }
  }

  it('a costly read keeps nobody else waiting, and ends in the database when nobody waits for it', async () => {
    await withDriver({ costlyPoolSize: 1 }, async (driver) => {
      const { read, leave, isOver } = begin(driver)
      await untilRunning(driver, 1)
      await driver.run(driver.prepare(sql`insert into notes (title) values ('beside it')`))
      assert.deepEqual(await driver.all(driver.prepare(sql`select title from notes`)), [
        { title: 'beside it' },
      ])
      assert.equal(isOver(), false)
      leave()
      await assert.rejects(read, isOfKind('abandoned', /nobody waits/))
      await untilRunning(driver, 0)
      const next = driver.prepare(sql`select title from notes`, {}, { isCostly: true })
      assert.deepEqual(await driver.all(next), [{ title: 'beside it' }])
      assert.deepEqual(await driver.get(next), { title: 'beside it' })
    })
  })

  it('only so many run at once and only so many wait; who leaves the queue makes room', async () => {
    await withDriver({ costlyPoolSize: 1, maxCostlyWaiting: 1 }, async (driver) => {
      const first = begin(driver)
      await untilRunning(driver, 1)
      const second = begin(driver)
      await assert.rejects(begin(driver).read, isOfKind('busy', /waiting for a database connection/))
      second.leave()
      await assert.rejects(second.read, isOfKind('abandoned', /nobody waits/))
      const third = begin(driver)
      assert.equal(await runningOn(driver), 1)
      first.leave()
      await assert.rejects(first.read)
      await untilRunning(driver, 1)
      assert.equal(third.isOver(), false)
      third.leave()
      await assert.rejects(third.read)
      await untilRunning(driver, 0)
    })
  })

  it('a recipient that has gone before gets nothing begun', async () => {
    await withDriver({}, async (driver) => {
      const statement = driver.prepare(endless[database.name], {}, { isCostly: true })
      await assert.rejects(
        async () => driver.all(statement, {}, { signal: AbortSignal.abort() }),
        isOfKind('abandoned', /nobody waits/),
      )
      const { open, busy, waiting } = loadOf(driver)
      assert.deepEqual({ open, busy, waiting }, { open: 0, busy: 0, waiting: 0 })
    })
  })

  it(
    'a costly read ends when its time is up; one in a transaction, and whatever else, has no such limit',
    slow,
    async () => {
      await withDriver({ readTimeoutMs: shortTimeoutMs }, async (driver) => {
        await assert.rejects(begin(driver).read, isOfKind('timeout', /100 ms \(database\.readTimeoutMs\)/))
        await untilRunning(driver, 0)
        const inside = driver.prepare(slowQueries[database.name], {}, { isCostly: true })
        const titles = driver.prepare(sql`select title from notes`, {}, { isCostly: true })
        await driver.transaction(async (tx) => {
          await tx.run(driver.prepare(sql`insert into notes (title) values ('its own')`))
          assert.equal((await tx.all(inside)).length, 1)
          assert.deepEqual(await tx.all(titles), [{ title: 'its own' }])
        })
        assert.equal((await driver.all(driver.prepare(slowQueries[database.name]))).length, 1)
      })
    },
  )

  it('what is wrong with a costly read is told as of any other', async () => {
    await withDriver({}, async (driver) => {
      const statement = driver.prepare(sql`select gone from notes`, {}, { isCostly: true })
      const kind = driver.dialect.name === 'sqlite' ? 'other' : 'unfit'
      await assert.rejects(async () => driver.all(statement), isOfKind(kind, /gone/))
    })
  })
})
