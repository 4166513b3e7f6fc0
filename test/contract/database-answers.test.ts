import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { DialectName, Statement, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { synchronize } from '../../core-plugins/foundation/database/sync/synchronize.ts'
import { shortenNames } from '../../core-plugins/foundation/database/tables/identifier.ts'
import { eachDatabase } from '../support/databases.ts'
import { type OpenTestDatabase, openTestDatabase, openUrl } from '../support/open-test-database.ts'

const notesWith = (count: 'integer' | 'decimal' | 'text'): TableSpec => ({
  name: 'notes',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'title', kind: 'string', length: 100 },
    { name: 'count', kind: count, nullable: true },
  ],
})

const entries = 30
const readers = 24
const idOf = (turn: number) => (turn % entries) + 1

/** Fails in the fourth row; what was sent of it by then depends on the database. */
const failing: Readonly<Record<DialectName, SQL>> = {
  postgres: sql`select 10 / (4 - id) as quotient from notes order by id`,
  mysql: sql`select (select other.id from notes as other where notes.id > 3 or other.id = notes.id) as many from notes`,
  sqlite: sql`select json(case when id = 4 then 'x' else '1' end) as parsed from notes order by id`,
}

/** One connection for each purpose: everything shares it. */
const narrow = { poolSize: 1, transactionPoolSize: 2, costlyPoolSize: 1 }

interface Note {
  readonly id: number
  readonly title: string
  readonly count: number
}

eachDatabase((database) => {
  let opened: OpenTestDatabase
  let driver: Driver
  let read: Statement<Note>
  let write: Statement

  before(async () => {
    opened = await openTestDatabase(database, [notesWith('integer')], narrow)
    driver = opened.driver
    const { dialect } = driver
    const id = dialect.placeholder('id', 'integer')
    read = driver.prepare<Note>(sql`select id, title, count from notes where id = ${id}`, {
      id: 'id',
      count: 'integer',
    })
    write = driver.prepare(
      sql`update notes set title = ${dialect.placeholder('title', 'string')} where id = ${id}`,
    )
    const insert = driver.prepare(
      sql`insert into notes (title, count) values (${dialect.placeholder('title', 'string')}, ${dialect.placeholder('count', 'integer')})`,
    )
    for (let number = 1; number <= entries; number += 1) {
      await driver.run(insert, { title: `note ${number}`, count: number })
    }
  })

  after(() => opened.close())

  async function assertOwn(id: number, on: Pick<Driver, 'get'> = driver): Promise<void> {
    const note = await on.get(read, { id })
    assert.deepEqual([note?.id, note?.title, Number(note?.count)], [id, `note ${id}`, id])
  }

  const atOnce = (work: (turn: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: readers }, (_, turn) => work(turn)))

  it('a query that fails after its first rows takes nothing from those behind it', async () => {
    const fails = driver.prepare(failing[database.name])
    for (let round = 0; round < 5; round += 1) {
      await atOnce(async (turn) => {
        if (turn % 3 === 0) await assert.rejects(async () => driver.all(fails))
        else await assertOwn(idOf(turn + round))
      })
    }
  })

  it('one that fails in a transaction takes nothing from the next user of its connection', async () => {
    const fails = driver.prepare(failing[database.name])
    await atOnce(async (turn) => {
      if (turn % 2 === 0) await assert.rejects(driver.transaction(async (tx) => tx.all(fails)))
      else await driver.transaction(async (tx) => assertOwn(idOf(turn), tx))
    })
  })

  it('a parameter that cannot be sent takes nothing from the queries around it', async () => {
    await atOnce(async (turn) => {
      if (turn % 3 !== 0) return assertOwn(idOf(turn))
      const unsendable = turn % 2 === 0 ? Symbol('no value') : undefined
      const note = await Promise.resolve()
        .then(() => driver.get(read, { id: unsendable }))
        .catch(() => undefined)
      assert.equal(note, undefined)
    })
  })

  it('costly reads that are given up take nothing from those after them', async () => {
    const costly = driver.prepare<Note>(
      sql`select id, title, count from notes where id = ${driver.dialect.placeholder('id', 'integer')}`,
      { id: 'id', count: 'integer' },
      { isCostly: true },
    )
    await atOnce(async (turn) => {
      const leaving = new AbortController()
      const answer = driver.get(costly, { id: idOf(turn) }, { signal: leaving.signal })
      if (turn % 3 === 0) leaving.abort()
      const note = await Promise.resolve(answer).catch(() => undefined)
      assert.ok(turn % 3 === 0 || note?.id === idOf(turn))
      assert.ok(note === undefined || note.id === idOf(turn))
    })
  })

  // A decimal has a form of its own on SQLite, which the service does not serve from two processes at once.
  for (const kind of database.name === 'sqlite' ? (['text'] as const) : (['decimal', 'text'] as const)) {
    it(`readers and writers get their own answers while another process makes an integer column ${kind}`, async () => {
      const next = await openUrl(opened.url, narrow)
      next.useTables([notesWith(kind)])
      let isChanged = false
      const changing = synchronize(next, [shortenNames(notesWith(kind))]).finally(() => {
        isChanged = true
      })
      await atOnce(async (turn) => {
        for (let round = 0, after = 0; after < 20; round += 1, after += isChanged ? 1 : 0) {
          const id = idOf(turn + round)
          // SQLite answers at once, and nothing else would get its turn.
          await nextTurn()
          if (turn % 4 !== 0) await assertOwn(id)
          else {
            await driver.transaction(async (tx) => {
              await tx.run(write, { id, title: `note ${id}` })
              await assertOwn(id, tx)
            })
          }
        }
      })
      await changing
      await next.close()
    })
  }
})
