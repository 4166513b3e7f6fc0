import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { DatabaseError, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { eachDatabase, runOnPostgres } from '../support/databases.ts'
import { type OpenTestDatabase, openTestDatabase, openUrl } from '../support/open-test-database.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const table: TableSpec = {
  name: 'notes',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'text', kind: 'string' },
  ],
}

const failFastMs = 1_000

eachDatabase((database) => {
  if (database.name === 'sqlite') return
  let direct: OpenTestDatabase
  let proxy: TcpProxy
  let driver: Driver

  before(async () => {
    direct = await openTestDatabase(database, [table])
    const url = new URL(direct.url)
    proxy = await startTcpProxy(Number(url.port || (database.name === 'postgres' ? 5432 : 3306)))
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    driver = await openUrl(url.href, {
      queryTimeoutMs: 500,
      connectTimeoutMs: 500,
      maxWaiting: 1_000,
    })
    driver.useTables([table])
  })

  afterEach(async () => {
    await proxy.mend()
    await untilItWorks()
  })

  after(async () => {
    await driver.close()
    await proxy.close()
    await direct.close()
  })

  const count = () => driver.prepare<{ count: number }>(sql`select count(*) as count from notes`)

  const insert = () => driver.prepare(sql`insert into notes (text) values ('x')`)

  async function untilItWorks() {
    const deadline = Date.now() + 10_000
    for (;;) {
      try {
        await driver.ping()
        await driver.transaction(async (tx) => tx.get(count()))
        return
      } catch (error) {
        if (Date.now() > deadline) throw error
        await nextTurn()
      }
    }
  }

  async function assertUnavailable(work: () => unknown, withinMs = failFastMs) {
    const startedAt = Date.now()
    await assert.rejects(
      async () => work(),
      (error: DatabaseError) => {
        assert.equal(error.kind, 'unavailable', error.message)
        return true
      },
    )
    const tookMs = Date.now() - startedAt
    assert.ok(tookMs < withinMs, `failed after ${tookMs} ms`)
  }

  async function assertAllUnavailable(withinMs?: number) {
    await Promise.all([
      assertUnavailable(() => driver.ping(), withinMs),
      assertUnavailable(() => driver.get(count()), withinMs),
      assertUnavailable(() => driver.run(insert()), withinMs),
      assertUnavailable(() => driver.transaction(async (tx) => tx.run(insert())), withinMs),
    ])
  }

  it('fails at once while the server is gone, and works when it is back', async () => {
    await proxy.cut()
    for (let round = 0; round < 5; round += 1) await assertAllUnavailable()
    await proxy.mend()
    await untilItWorks()
    await driver.run(insert())
  })

  it('does not commit half of a transaction that lost its connection', async () => {
    const before = await direct.driver.get(count())
    await assertUnavailable(() =>
      driver.transaction(async (tx) => {
        await tx.run(insert())
        await proxy.cut()
        await proxy.mend()
        await tx.run(insert())
      }),
    )
    assert.deepEqual(await direct.driver.get(count()), before)
  })

  it('does not commit what was sent on together when the connection is lost', async () => {
    const before = await direct.driver.get(count())
    await assertUnavailable(() =>
      driver.transaction(async (tx) => {
        const first = tx.run(insert())
        const second = tx.run(insert())
        const cut = proxy.cut()
        await Promise.allSettled([first, second, cut])
        await proxy.mend()
        await tx.run(insert())
      }),
    )
    assert.deepEqual(await direct.driver.get(count()), before)
  })

  it('gives up on a server that has gone silent', async () => {
    proxy.freeze()
    // The time limit of a query and the grace that the server itself has to end it.
    await assertAllUnavailable(6_000)
    await assertAllUnavailable(6_000)
  })

  it('gives up on a server that ends every connection at once', async () => {
    proxy.slam()
    await assertAllUnavailable(3_000)
    await assertAllUnavailable(3_000)
  })

  it('gets through many queries that are under way when the server goes, and after it is back', async () => {
    const underWay = Array.from({ length: 200 }, () => Promise.resolve(driver.get(count())))
    const cut = proxy.cut()
    const outcomes = await Promise.allSettled(underWay)
    await cut
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.kind, 'unavailable')
    }
    await proxy.mend()
    await untilItWorks()
    const answers = await Promise.all(Array.from({ length: 200 }, () => driver.get(count())))
    assert.equal(new Set(answers.map((row) => row?.count)).size, 1)
  })

  if (database.name === 'postgres') {
    it('is away while the database takes no connections, and works when it takes them again', async () => {
      const name = new URL(direct.url).pathname.slice(1)
      const admin = new URL(direct.url)
      admin.pathname = '/postgres'
      const allow = (isAllowed: boolean) =>
        runOnPostgres(admin.href, `alter database ${name} allow_connections ${isAllowed}`)
      await allow(false)
      try {
        await proxy.cut()
        await proxy.mend()
        // For a moment it is away because the connections were cut.
        await until(async () => {
          const error = await Promise.resolve(driver.get(count())).catch((failure) => failure)
          assert.equal(error.kind, 'unavailable', error.message)
          return /not currently accepting/.test(error.message)
        })
      } finally {
        await allow(true)
      }
    })
  }

  it('refuses a server that is not there', async () => {
    const url = new URL(direct.url)
    url.port = String(proxy.port)
    await proxy.cut()
    await assertUnavailable(async () => {
      const opened = await openUrl(url.href)
      await opened.ping().finally(() => opened.close())
    })
  })
})
