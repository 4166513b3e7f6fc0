import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { OpenOptions } from '../../core-plugins/foundation/database/connections/open-database.ts'
import { DatabaseError } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { synchronize } from '../../core-plugins/foundation/database/sync/synchronize.ts'
import type { TableSpec } from '../../core-plugins/foundation/database/tables/table-spec.ts'
import { findPgBouncer, startPgBouncer, type TestServer } from '../support/database-servers.ts'
import { eachDatabase, runOnPostgres, type TestDatabase } from '../support/databases.ts'
import { openUrl } from '../support/open-test-database.ts'
import { recordingLog } from '../support/recording-log.ts'
import { skipWithout } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const notes = {
  name: 'notes',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'title', kind: 'string' },
    { name: 'hits', kind: 'integer' },
  ],
} as const satisfies TableSpec

/** Fewer sessions of the server than connections of one process, so that these have to share. */
const settings = { default_pool_size: 4, query_wait_timeout: 20 }

const many = Array.from({ length: 200 }, (_, index) => index)

/** Real poolers in front of a real server (docs/database.md#poolers). */
eachDatabase((database) => {
  if (database.name !== 'postgres') return
  const command = findPgBouncer()
  if (command === undefined)
    return it('behind a pooler', { skip: skipWithout('pgbouncer', false) }, () => assert.fail('no pgbouncer'))

  let created: TestDatabase
  const started: TestServer[] = []

  before(async () => {
    created = await database.createUrl()
  })

  after(async () => {
    await Promise.all(started.map((pooler) => pooler.stop()))
    await created.drop()
  })

  /** The address of the database behind a pooler with this mode. */
  const behind = async (mode: 'session' | 'transaction' | 'statement', more: object = {}) => {
    const pooler = await startPgBouncer(command, created.url, { ...settings, ...more, pool_mode: mode })
    started.push(pooler)
    const url = new URL(created.url)
    url.port = String(pooler.port)
    return url.href
  }

  const numberOf = async (driver: Driver, query: ReturnType<typeof sql>) =>
    Number((await driver.get(driver.prepare<{ number: number }>(query)))?.number)

  const insertOf = (driver: Driver) =>
    driver.prepare(
      sql`insert into notes (title, hits) values (${driver.dialect.placeholder('title', 'text')}, 0)`,
    )

  describe('which pools by transaction', () => {
    let url: string
    let driver: Driver

    const open = (options: Partial<OpenOptions> = {}) =>
      openUrl(url, { poolSize: 8, maxWaiting: 1_000, ...options })

    before(async () => {
      url = await behind('transaction')
      driver = await open()
      driver.useTables([notes])
      await synchronize(driver, [notes])
    })

    after(() => driver.close())

    it('reads and transactions at once, more than there are sessions, each get their own answer', async () => {
      const insert = insertOf(driver)
      const read = driver.prepare<{ title: string }>(
        sql`select title from notes where id = ${driver.dialect.placeholder('id', 'id')}`,
      )
      const titles = await Promise.all(
        many.map(async (number) => {
          const { insertId } = await driver.transaction(async (tx) =>
            tx.run(insert, { title: `note ${number}` }),
          )
          const row = await driver.get(read, { id: insertId })
          return row?.title
        }),
      )
      assert.deepEqual(
        titles,
        many.map((number) => `note ${number}`),
      )
    })

    it('the limits of one client are not those of another', async () => {
      await driver.transaction(async (tx) => tx.get(driver.prepare(sql`select 1 as number`)))
      const other = await open()
      const limits = await Promise.all(
        many.map(() => other.get(other.prepare(sql`select current_setting('statement_timeout') as "limit"`))),
      )
      assert.deepEqual(new Set(limits.map((row) => row?.limit)), new Set(['0']))
      await other.close()
    })

    it('a transaction is ended by its own limit', async () => {
      const hasty = await open({ queryTimeoutMs: 200 })
      const sleep = hasty.prepare(sql`select pg_sleep(600)::text as slept`)
      await assert.rejects(
        hasty.transaction(async (tx) => tx.get(sleep)),
        (error) => error instanceof DatabaseError && error.kind === 'busy',
      )
      await hasty.close()
    })

    it('a costly read whose recipient has gone is ended on the server, and hits nobody else', async () => {
      const running = sql`select count(*) as number from pg_stat_activity where state = 'active'
        and pid <> pg_backend_pid() and query like '%slow_read%'`
      const costly = driver.prepare(sql`select pg_sleep(600)::text as slow_read`, {}, { isCostly: true })
      const gone = new AbortController()
      const reading = driver.all(costly, {}, gone)
      await until(async () => (await numberOf(driver, running)) === 1)
      gone.abort()
      await assert.rejects(
        async () => reading,
        (error) => error instanceof DatabaseError && error.kind === 'abandoned',
      )
      await until(async () => (await numberOf(driver, running)) === 0)
      assert.equal(await numberOf(driver, sql`select 1 as number`), 1)
    })

    it('statements are prepared anew when another client changes a table, again and again', async () => {
      const read = driver.prepare<{ hits: unknown }>(sql`select hits from notes where title = 'note 1'`)
      for (const type of ['numeric', 'bigint', 'numeric', 'integer', 'bigint', 'numeric', 'integer']) {
        await runOnPostgres(
          created.url,
          `alter table notes alter column hits type ${type} using hits::${type}`,
        )
        const later = await open()
        for (const each of [driver, later]) {
          const rows = await Promise.all(many.slice(0, 20).map(() => each.get(read)))
          assert.ok(rows.every((row) => Number(row?.hits) === 0))
          const updated = await each.transaction(async (tx) => tx.get(read))
          assert.equal(Number(updated?.hits), 0)
        }
        await later.close()
      }
    })

    it('does not listen there, but past the pooler, and says so', async () => {
      assert.equal(driver.notifications, undefined)
      const { log, lines } = recordingLog()
      const told = await open({ log })
      assert.match(JSON.stringify(lines), /DATABASE_DIRECT_URL/)
      assert.deepEqual(
        (await driver.tightLimits?.())?.map(({ remedy }) => remedy),
        [
          'set DATABASE_DIRECT_URL to the address of the database itself, or REDIS_URL',
          `alter role "${new URL(url).username}" set statement_timeout = '30s'`,
        ],
      )
      const direct = await open({ directUrl: created.url })
      const heard = await new Promise<string>((resolve) => {
        const line = direct.notifications?.listen('poolers', {
          message: resolve,
          opened: () => void direct.notifications?.send('poolers', 'hello'),
          lost: () => undefined,
        })
        assert.ok(line)
      })
      assert.equal(heard, 'hello')
      await Promise.all([told.close(), direct.close()])
    })
  })

  it('over one that pools by session, connections have their limits and hear notifications', async () => {
    const driver = await openUrl(await behind('session', { default_pool_size: 20 }), {
      queryTimeoutMs: 4_321,
    })
    const limit = driver.prepare<{ limit: string }>(
      sql`select current_setting('statement_timeout') as "limit"`,
    )
    assert.equal((await driver.get(limit))?.limit, '4321ms')
    assert.ok(driver.notifications)
    await driver.close()
  })

  it('one that pools by statement is refused, with what to do', async () => {
    const url = await behind('statement')
    await assert.rejects(openUrl(url), (error) => {
      assert.ok(error instanceof DatabaseError)
      assert.match(error.message, /allows no transactions/)
      assert.match(error.remedy ?? '', /pool_mode/)
      return true
    })
  })

  it('a service behind one that pools by transaction answers everything, its backups included', async () => {
    const service = await startService({ database: { url: await behind('transaction') } })
    try {
      const created = await Promise.all(
        many.map((number) => service.admin.post('/api/content/author', { name: `Author ${number}` })),
      )
      assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]))
      const lists = await Promise.all(
        many.map((number) =>
          service.admin.get(`/api/content/author?sort=name&limit=10&offset=${number % 50}`),
        ),
      )
      assert.deepEqual(new Set(lists.map(({ status }) => status)), new Set([200]))
      assert.equal((await service.admin.post('/api/admin/backups', {})).status, 201)
    } finally {
      await service.stop()
    }
  })
})
