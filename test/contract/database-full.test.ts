import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'drizzle-orm'
import { DatabaseError } from '../../core-plugins/foundation/database/database.ts'
import { classifyMysqlError } from '../../core-plugins/foundation/database/dialects/mysql/mysql-error.ts'
import { classifyPostgresError } from '../../core-plugins/foundation/database/dialects/postgres/postgres-error.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { KnownTables } from '../../core-plugins/foundation/database/schema/known-tables.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'

const tables = new KnownTables()

it('tells a full disk by what the servers say', () => {
  assert.equal(classifyPostgresError({ code: '53100' }, tables).kind, 'full')
  const words = [
    { errno: 1021, message: 'Disk full (/tmp/x); waiting for someone to free some space...' },
    { errno: 1026, message: 'Error writing file "x" (errno: 28 "No space left on device")' },
    { errno: 1030, message: 'Got error 28 "No space left on device" from storage engine InnoDB' },
  ]
  for (const error of words) assert.equal(classifyMysqlError(error, tables).kind, 'full', error.message)
})

/** Lets a table of the server grow until it has no room; what PostgreSQL lacks that can be had without a disk. */
const fillings: Readonly<Record<string, (driver: Driver) => Promise<void>>> = {
  async sqlite(driver) {
    await driver.run(driver.prepare(sql`create table filled (filling text)`))
    await driver.run(driver.prepare(sql`pragma max_page_count = 20`))
    await fill(driver)
  },
  async mysql(driver) {
    const make = driver.prepare(sql`create table filled (filling char(200)) engine = memory max_rows = 10`)
    await driver.run(make)
    await fill(driver)
  },
}

async function fill(driver: Driver): Promise<void> {
  const insert = driver.prepare(sql`insert into filled (filling) values (${'x'.repeat(200)})`)
  for (let count = 0; count < 200_000; count++) await driver.transaction(async (tx) => tx.run(insert))
}

eachDatabase((database) => {
  const run = fillings[database.name]
  if (run === undefined) return

  it('tells a write for which there is no room from all others', async () => {
    const told: DatabaseError[] = []
    const { driver, close } = await openTestDatabase(database, [], { onFull: (error) => told.push(error) })
    try {
      await assert.rejects(run(driver), (error) => error instanceof DatabaseError && error.kind === 'full')
      assert.equal(told.length, 1)
    } finally {
      await close()
    }
  })
})
