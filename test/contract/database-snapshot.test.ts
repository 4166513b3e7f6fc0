import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  DatabaseError,
  openSnapshot,
  query,
  type TableSpec,
} from '../../core-plugins/foundation/database/database.ts'
import { type DatabaseUnderTest, eachDatabase } from '../support/databases.ts'
import { type OpenTestDatabase, openTestDatabase } from '../support/open-test-database.ts'

const table: TableSpec = {
  name: 'things',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'count', kind: 'integer' },
  ],
}

const columns = { id: { column: 'id', kind: 'id' }, count: { column: 'count', kind: 'integer' } } as const

eachDatabase((engine: DatabaseUnderTest) => {
  describe('a snapshot', () => {
    let database: OpenTestDatabase
    before(async () => {
      database = await openTestDatabase(engine, [table], { queryTimeoutMs: 300 })
    })
    after(() => database?.close())

    const count = sql.identifier('count')
    const insert = () =>
      query(
        database.driver,
        (value) => sql`insert into things (${count}) values (${value('count', 'integer')})`,
      )
    const countUp = () => query(database.driver, () => sql`update things set ${count} = ${count} + 1`)

    it('shows the moment at which it was opened, however long it is open', async () => {
      await insert().run({ count: 1 })
      const { driver } = database
      const snapshot = await openSnapshot(driver.snapshotSource)
      try {
        const all = query<{ count: number }>(
          snapshot,
          () => sql`select id, ${count} from things order by id`,
          columns,
        )
        const read = async () => (await all.all({}, snapshot)).map((row) => row.count)
        await countUp().run()
        assert.deepEqual(await read(), [1])
        await insert().run({ count: 7 })
        // Longer than a query or an idle transaction may take.
        await new Promise((resolve) => setTimeout(resolve, 700))
        assert.deepEqual(await read(), [1])
      } finally {
        await snapshot.close()
      }
      const later = await openSnapshot(driver.snapshotSource)
      const rows = await later.all<{ count: number }>(
        later.prepare(sql`select ${count} from things order by id`),
      )
      assert.deepEqual(
        rows.map((row) => Number(row.count)),
        [2, 7],
      )
      await later.close()
    })

    it('cannot be written through', async () => {
      const snapshot = await openSnapshot(database.driver.snapshotSource)
      try {
        const write = async () => snapshot.run(snapshot.prepare(sql`delete from things`))
        await assert.rejects(write, DatabaseError)
      } finally {
        await snapshot.close()
      }
    })

    it('is refused where the database cannot be reached', async () => {
      const { snapshotSource } = database.driver
      const target =
        engine.name === 'sqlite' ? '/nowhere/at/all.db' : snapshotSource.target.replace(/:\d+\//, ':1/')
      await assert.rejects(openSnapshot({ ...snapshotSource, target }), DatabaseError)
    })
  })

  describe('ids that were given by hand', () => {
    it('are not given out again, nor are earlier ones', async () => {
      const database = await openTestDatabase(engine, [table])
      try {
        const { driver } = database
        const insert = query(
          driver,
          (value) =>
            sql`insert into things (id, ${sql.identifier('count')}) values (${value('id', 'id')}, 0)`,
        )
        const next = query(driver, () => sql`insert into things (${sql.identifier('count')}) values (0)`)
        const advance = driver.dialect.advanceIds('things', 'id')
        const advanceIds = async () => {
          if (advance !== undefined) await driver.get(driver.prepare(advance))
        }
        await advanceIds()
        assert.equal((await next.run()).insertId, 1)
        await insert.run({ id: 500 })
        await advanceIds()
        assert.equal((await next.run()).insertId, 501)
        await driver.run(driver.prepare(sql`delete from things`))
        await insert.run({ id: 3 })
        await advanceIds()
        assert.ok((await next.run()).insertId > 501)
      } finally {
        await database.close()
      }
    })
  })
})
