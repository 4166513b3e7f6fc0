import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  DatabaseError,
  type DatabaseErrorKind,
  type Durability,
  type TableSpec,
} from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase, openUrl } from '../support/open-test-database.ts'

const tables: TableSpec[] = [
  {
    name: 'owners',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'email', kind: 'string', length: 100 },
      { name: 'locale', kind: 'string', length: 10, nullable: true },
      { name: 'balance', kind: 'integer', default: 0 },
    ],
    indexes: [
      { columns: ['email'], type: 'unique' },
      { columns: ['locale', 'balance'], type: 'unique' },
      { columns: ['id', 'balance'], type: 'index' },
    ],
  },
  {
    name: 'things',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'owner_id', kind: 'reference' },
      { name: 'keeper_id', kind: 'reference', nullable: true },
      { name: 'maker_id', kind: 'reference', nullable: true },
    ],
    references: [
      { column: 'owner_id', table: 'owners', onDelete: 'restrict' },
      { column: 'keeper_id', table: 'owners', onDelete: 'set null' },
      { column: 'maker_id', table: 'owners', onDelete: 'cascade' },
    ],
  },
  {
    name: 'pairs',
    columns: [
      { name: 'source_id', kind: 'reference' },
      { name: 'target_id', kind: 'reference' },
    ],
    primaryKey: ['source_id', 'target_id'],
  },
]

/** Resolves when `count` callers have come. */
function meetingOf(count: number) {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let present = 0
  return () => {
    present += 1
    if (present === count) open()
    return opened
  }
}

eachDatabase((database) => {
  let driver: Driver
  let url: string
  let close: () => Promise<void>

  before(async () => {
    ;({ driver, url, close } = await openTestDatabase(database, tables))
  })

  after(() => close())

  beforeEach(async () => {
    for (const name of ['things', 'pairs', 'owners'])
      await driver.run(driver.prepare(sql`delete from ${sql.identifier(name)}`))
  })

  const insertOwner = () =>
    driver.prepare(
      sql`insert into owners (email, balance) values (${driver.dialect.placeholder('email', 'string')}, 0)`,
    )

  const addOwner = async (email: string) => (await driver.run(insertOwner(), { email })).insertId

  async function emails(): Promise<string[]> {
    const rows = await driver.all(
      driver.prepare<{ email: string }>(sql`select email from owners order by email`),
    )
    return rows.map((row) => row.email)
  }

  async function failure(work: () => unknown): Promise<DatabaseError> {
    try {
      await work()
    } catch (error) {
      assert.ok(error instanceof DatabaseError, `not a DatabaseError: ${error}`)
      return error
    }
    assert.fail('it did not fail')
  }

  describe('transaction', () => {
    it('answers what its work does, after the commit', async () => {
      const answer = await driver.transaction(async (tx) => {
        await tx.run(insertOwner(), { email: 'a' })
        await tx.run(insertOwner(), { email: 'b' })
        return 'done'
      })
      assert.equal(answer, 'done')
      assert.deepEqual(await emails(), ['a', 'b'])
    })

    it('reads its own writes, which nobody else sees before the commit', async () => {
      const all = driver.prepare(sql`select id from owners`)
      await driver.transaction(async (tx) => {
        await tx.run(insertOwner(), { email: 'a' })
        assert.equal((await tx.all(all)).length, 1)
        assert.equal((await driver.all(all)).length, 0)
      })
      assert.equal((await driver.all(all)).length, 1)
    })

    it('waits for the disk unless it is relaxed', async () => {
      // MySQL has one rule for all.
      if (database.name === 'mysql') return
      const setting = driver.prepare<{ level: string | number }>(
        database.name === 'sqlite'
          ? sql`select synchronous as level from pragma_synchronous`
          : sql`select current_setting('synchronous_commit') as level`,
      )
      const levelIn = (durability?: Durability) =>
        driver.transaction(async (tx) => (await tx.get(setting))?.level, durability && { durability })
      const [full, relaxed] = database.name === 'sqlite' ? [2, 1] : ['on', 'off']
      assert.equal(await levelIn('relaxed'), relaxed)
      assert.equal(await levelIn(), full)
      const failing = driver.transaction(
        async (tx) => {
          await tx.run(insertOwner(), { email: 'a' })
          throw new Error('no')
        },
        { durability: 'relaxed' },
      )
      await assert.rejects(failing, /no/)
      assert.equal(await levelIn(), full)
      await driver.transaction(async (tx) => void (await tx.run(insertOwner(), { email: 'b' })), {
        durability: 'relaxed',
      })
      assert.deepEqual(await emails(), ['b'])
    })

    it('lets others have their turn between many that follow each other', async () => {
      let turns = 0
      const counting = setInterval(() => turns++, 1)
      for (let number = 0; number < 300; number++) {
        await driver.transaction((tx) => Promise.resolve(tx.run(insertOwner(), { email: `${number}` })))
      }
      clearInterval(counting)
      assert.ok(turns > 0)
    })

    it('is undone whole when its work throws, and passes the error on', async () => {
      const veto = new Error('veto')
      const work = driver.transaction(async (tx) => {
        await tx.run(insertOwner(), { email: 'a' })
        throw veto
      })
      await assert.rejects(work, veto)
      assert.deepEqual(await emails(), [])
    })

    it('is undone whole when a query of it failed, although the error was caught', async () => {
      await addOwner('a')
      const error = await failure(() =>
        driver
          .transaction(async (tx) => {
            await tx.run(insertOwner(), { email: 'b' })
            await Promise.resolve(tx.run(insertOwner(), { email: 'a' })).catch(() => undefined)
          })
          .catch((error) => {
            throw error
          }),
      )
      assert.equal(error.kind, 'unique')
      assert.deepEqual(await emails(), ['a'])
    })

    it('refuses queries after its end', async () => {
      let leaked: Parameters<Parameters<Driver['transaction']>[0]>[0] | undefined
      await driver.transaction(async (tx) => {
        leaked = tx
      })
      await assert.rejects(async () => leaked?.run(insertOwner(), { email: 'late' }), /has ended/)
      assert.deepEqual(await emails(), [])
    })

    it('runs what is to follow the commit in order, and only then', async () => {
      const events: string[] = []
      await driver.transaction(async (tx) => {
        tx.afterCommit(async () => {
          await Promise.resolve()
          events.push(`first ${(await emails()).join()}`)
        })
        tx.afterCommit(() => {
          throw new Error('logged')
        })
        tx.afterCommit(() => events.push('second'))
        await tx.run(insertOwner(), { email: 'a' })
        events.push('work')
      })
      assert.deepEqual(events, ['work', 'first a', 'second'])
    })

    it('forgets what is to follow the commit when there is none', async () => {
      const events: string[] = []
      await assert.rejects(
        driver.transaction(async (tx) => {
          tx.afterCommit(() => events.push('after'))
          throw new Error('veto')
        }),
        /veto/,
      )
      assert.deepEqual(events, [])
    })

    it('does what is to come last when all work is done, and commits it along', async () => {
      const events: string[] = []
      await driver.transaction(async (tx) => {
        tx.afterCommit(async () => events.push(`committed ${(await emails()).join()}`))
        tx.beforeCommit(async () => {
          await tx.run(insertOwner(), { email: 'last' })
          tx.beforeCommit(() => events.push('added by another'))
          events.push('last')
        })
        await tx.run(insertOwner(), { email: 'first' })
        events.push('work')
      })
      assert.deepEqual(events, ['work', 'last', 'added by another', 'committed first,last'])
    })

    it('rolls back what fails at the end', async () => {
      await assert.rejects(
        driver.transaction(async (tx) => {
          tx.beforeCommit(() => {
            throw new Error('too late')
          })
          await tx.run(insertOwner(), { email: 'a' })
        }),
        /too late/,
      )
      assert.deepEqual(await emails(), [])
    })

    it('lets transactions and writes beside them all through', async () => {
      const writes = Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? driver.transaction(async (tx) => {
              await tx.run(insertOwner(), { email: `t${index}` })
              await new Promise((resolve) => setImmediate(resolve))
              await tx.all(driver.prepare(sql`select count(*) as count from owners`))
            })
          : addOwner(`w${index}`),
      )
      await Promise.all(writes)
      assert.equal((await emails()).length, 40)
    })

    it('loses no update of rows that it locked', async () => {
      const id = await addOwner('a')
      const read = driver.prepare<{ balance: number }>(
        sql`select balance from owners where id = ${driver.dialect.placeholder('id', 'id')} ${driver.dialect.forUpdate}`,
      )
      const write = driver.prepare(
        sql`update owners set balance = ${driver.dialect.placeholder('balance', 'integer')}
          where id = ${driver.dialect.placeholder('id', 'id')}`,
      )
      await Promise.all(
        Array.from({ length: 10 }, () =>
          driver.transaction(async (tx) => {
            const row = await tx.get(read, { id })
            await tx.run(write, { id, balance: (row?.balance ?? 0) + 1 })
          }),
        ),
      )
      assert.equal((await driver.get(read, { id }))?.balance, 10)
    })

    it('finds by the primary key what others move in an index that begins with it', {
      skip: database.name === 'sqlite' && 'SQLite has one writer',
    }, async () => {
      const ids = [await addOwner('a'), await addOwner('b'), await addOwner('c')]
      const list = sql.raw(ids.join(', '))
      const lock = driver.prepare<{ id: number }>(
        sql`select id, balance from owners ${driver.dialect.byPrimaryKey} where id in (${list})
          order by id ${driver.dialect.forUpdate}`,
      )
      const move = driver.prepare(sql`update owners set balance = balance - 1 where id in (${list})`)
      const rounds = Array.from({ length: 30 }, () =>
        driver.transaction(async (tx) => {
          const found = (await tx.all(lock)).length
          await tx.run(move)
          return found
        }),
      )
      assert.deepEqual(new Set(await Promise.all(rounds)), new Set([ids.length]))
    })

    it('runs again after a deadlock, until both are through', {
      skip: database.name === 'sqlite' && 'SQLite has one writer',
    }, async () => {
      const ids = [await addOwner('a'), await addOwner('b')]
      const update = driver.prepare(
        sql`update owners set balance = balance + 1 where id = ${driver.dialect.placeholder('id', 'id')}`,
      )
      const meet = meetingOf(2)
      let runs = 0
      const both = [ids, ids.toReversed()].map(([first, second]) =>
        driver.transaction(async (tx) => {
          runs += 1
          await tx.run(update, { id: first })
          await meet()
          await tx.run(update, { id: second })
        }),
      )
      await Promise.all(both)
      // Another deadlock with the second attempt is up to the server.
      assert.ok(runs >= 3)
      const balances = await driver.all(driver.prepare<{ balance: number }>(sql`select balance from owners`))
      assert.deepEqual(balances, [{ balance: 2 }, { balance: 2 }])
    })

    it('gives up after the third repetition', async () => {
      let runs = 0
      const work = driver.transaction(async () => {
        runs += 1
        throw new DatabaseError('deadlock', 'again')
      })
      await assert.rejects(work, { kind: 'deadlock' })
      assert.equal(runs, 4)
    })

    it('is rolled back when it does nothing for too long', async () => {
      const impatient = await openUrl(url, { queryTimeoutMs: 300 })
      try {
        const work = impatient.transaction(async (tx) => {
          await tx.run(insertOwner(), { email: 'a' })
          await new Promise(() => undefined)
        })
        await assert.rejects(work, (error: DatabaseError) => ['busy', 'unavailable'].includes(error.kind))
        assert.deepEqual(await emails(), [])
        await impatient.transaction(async (tx) => tx.run(insertOwner(), { email: 'b' }))
      } finally {
        await impatient.close()
      }
    })

    it('waits for another process that writes, but not for ever', {
      skip: database.name !== 'sqlite' && 'servers have many writers',
    }, async () => {
      const other = await openUrl(url)
      const impatient = await openUrl(url, { waitTimeoutMs: 50 })
      const ended = withResolvers()
      const begun = withResolvers()
      try {
        const long = other.transaction(async (tx) => {
          await tx.run(insertOwner(), { email: 'a' })
          begun.resolve()
          await ended.promise
        })
        await begun.promise
        assert.equal((await failure(() => impatient.run(insertOwner(), { email: 'b' }))).kind, 'busy')
        assert.equal((await failure(() => impatient.transaction(async () => undefined))).kind, 'busy')
        const waiting = [
          addOwner('c'),
          driver.transaction(async (tx) => tx.run(insertOwner(), { email: 'd' })),
        ]
        ended.resolve()
        await Promise.all([long, ...waiting])
        assert.deepEqual(await emails(), ['a', 'c', 'd'])
      } finally {
        await other.close()
        await impatient.close()
      }
    })

    it('waits for its turn no longer than it may', async () => {
      const crowded = await openUrl(url, { transactionPoolSize: 1, waitTimeoutMs: 200 })
      const { promise, resolve } = withResolvers()
      try {
        const long = crowded.transaction(async (tx) => {
          await tx.run(insertOwner(), { email: 'a' })
          await promise
        })
        const second = openUrlTransaction(crowded)
        const outcome = database.name === 'sqlite' ? 'waits' : (await failure(() => second)).kind
        resolve()
        await long
        if (outcome === 'waits') await second
        else assert.equal(outcome, 'busy')
      } finally {
        await crowded.close()
      }
    })
  })

  it('goes on through thousands of different statements', { timeout: 60_000 }, async () => {
    // More than a connection keeps prepared.
    const count = database.name === 'postgres' ? 2_100 : 600
    const slots = Array.from({ length: count }, (_, index) => index)
    const ask = async (queries: Pick<Driver, 'get'>, index: number) => {
      const row = await queries.get(
        driver.prepare<{ value: number }>(sql`select ${sql.raw(String(index))} as value`),
      )
      assert.equal(row?.value, index)
    }
    for (let first = 0; first < slots.length; first += 100) {
      await Promise.all(slots.slice(first, first + 100).map((index) => ask(driver, index)))
    }
    await driver.transaction(async (tx) => {
      for (const index of slots) await ask(tx, index)
    })
    await driver.transaction(async (tx) => ask(tx, 7))
  })

  const openUrlTransaction = (other: Driver) =>
    other.transaction(async (tx) => tx.run(insertOwner(), { email: 'second' }))

  describe('errors', () => {
    async function assertFails(
      work: () => unknown,
      kind: DatabaseErrorKind,
      table?: string,
      columns: string[] = [],
    ) {
      const error = await failure(work)
      assert.equal(error.kind, kind, error.message)
      assert.equal(error.table, table)
      assert.deepEqual(error.columns, columns)
    }

    it('tells the table and columns of a value that is taken', async () => {
      await addOwner("it's 'a' for key 'b'")
      await assertFails(() => addOwner("it's 'a' for key 'b'"), 'unique', 'owners', ['email'])
    })

    it('tells all columns of values that are taken together, but nulls do not collide', async () => {
      const insert = driver.prepare(
        sql`insert into owners (email, locale, balance) values
          (${driver.dialect.placeholder('email', 'string')}, ${driver.dialect.placeholder('locale', 'string')}, 5)`,
      )
      for (const email of ['a', 'b']) await driver.run(insert, { email, locale: null })
      await driver.run(insert, { email: 'c', locale: 'en' })
      await assertFails(() => driver.run(insert, { email: 'd', locale: 'en' }), 'unique', 'owners', [
        'locale',
        'balance',
      ])
    })

    it('tells the table of a primary key that is taken', async () => {
      const insert = driver.prepare(sql`insert into pairs (source_id, target_id) values (1, 2)`)
      await driver.run(insert)
      await assertFails(() => driver.run(insert), 'unique', 'pairs', ['source_id', 'target_id'])
    })

    const reference = (column: string): [string?, string[]?] =>
      database.name === 'sqlite' ? [] : ['things', [column]]

    it('tells a reference to a row that is not there', async () => {
      const insert = driver.prepare(sql`insert into things (owner_id) values (999999)`)
      await assertFails(() => driver.run(insert), 'reference', ...reference('owner_id'))
    })

    it('tells a row that is still referred to', async () => {
      const id = await addOwner('a')
      await driver.run(driver.prepare(sql`insert into things (owner_id) values (${id})`))
      const remove = driver.prepare(sql`delete from owners where id = ${id}`)
      await assertFails(() => driver.run(remove), 'reference', ...reference('owner_id'))
    })

    it('clears or deletes what referred to a deleted row, as declared', async () => {
      const [owner, gone] = [await addOwner('a'), await addOwner('b')]
      const insert = driver.prepare(sql`insert into things (owner_id, keeper_id, maker_id) values
        (${owner}, ${driver.dialect.placeholder('keeper', 'id')}, ${driver.dialect.placeholder('maker', 'id')})`)
      await driver.run(insert, { keeper: gone, maker: null })
      await driver.run(insert, { keeper: null, maker: gone })
      await driver.run(driver.prepare(sql`delete from owners where id = ${gone}`))
      const rows = await driver.all(driver.prepare(sql`select owner_id, keeper_id, maker_id from things`))
      assert.deepEqual(rows, [{ owner_id: owner, keeper_id: null, maker_id: null }])
    })

    it('tells what does not fit the tables, where a process of another version may have changed them', async () => {
      const kind = driver.dialect.name === 'sqlite' ? 'other' : 'unfit'
      await assertFails(() => driver.all(driver.prepare(sql`select nothing from nowhere`)), kind)
      await assertFails(() => driver.run(driver.prepare(sql`insert into owners (balance) values (1)`)), kind)
    })
  })
})

function withResolvers() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}
