import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  DatabaseError,
  type InsertMany,
  insertMany,
  type TableSpec,
} from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'

const tables: TableSpec[] = [
  {
    name: 'owners',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'email', kind: 'string', length: 100 },
    ],
    indexes: [{ columns: ['email'], type: 'unique' }],
  },
  {
    name: 'things',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'label', kind: 'string' },
      { name: 'owner_id', kind: 'reference', nullable: true },
    ],
    references: [{ column: 'owner_id', table: 'owners', onDelete: 'restrict' }],
  },
]

interface Owner {
  readonly email: string
}

interface Thing {
  readonly label: string
  readonly owner: number | null
}

eachDatabase((database) => {
  let driver: Driver
  let close: () => Promise<void>
  let owners: InsertMany<Owner>
  let things: InsertMany<Thing>

  before(async () => {
    ;({ driver, close } = await openTestDatabase(database, tables))
    owners = insertMany<Owner>(driver, {
      table: 'owners',
      columns: { email: { column: 'email', kind: 'string' } },
    })
    things = insertMany<Thing>(driver, {
      table: 'things',
      columns: {
        label: { column: 'label', kind: 'string' },
        owner: { column: 'owner_id', kind: 'reference' },
      },
    })
  })

  after(() => close())

  beforeEach(async () => {
    for (const name of ['things', 'owners'])
      await driver.run(driver.prepare(sql`delete from ${sql.identifier(name)}`))
  })

  async function textsOf(column: string, table: string, on: Pick<Driver, 'all'> = driver): Promise<string[]> {
    const statement = driver.prepare<{ text: string }>(
      sql`select ${sql.identifier(column)} as text from ${sql.identifier(table)} order by id`,
    )
    return (await on.all(statement)).map(({ text }) => text)
  }

  const loose = (...labels: string[]): Thing[] => labels.map((label) => ({ label, owner: null }))

  describe('rows that are left to a transaction', () => {
    it('are there for its next query', async () => {
      await driver.transaction(async (tx) => {
        things.soon(loose('a', 'b'), tx)
        owners.soon([{ email: 'x' }], tx)
        assert.deepEqual(await textsOf('label', 'things', tx), ['a', 'b'])
        things.soon(loose('c'), tx)
        assert.deepEqual(await textsOf('email', 'owners', tx), ['x'])
        assert.deepEqual(await textsOf('label', 'things', tx), ['a', 'b', 'c'])
      })
      assert.deepEqual(await textsOf('label', 'things'), ['a', 'b', 'c'])
    })

    it('come with the commit, in their order, however many they are', async () => {
      const labels = Array.from({ length: 120 }, (_, index) => `thing ${index}`)
      await driver.transaction(async (tx) => {
        owners.soon([{ email: 'x' }], tx)
        for (const label of labels) things.soon(loose(label), tx)
        things.soon(loose('and', 'more'), tx)
      })
      assert.deepEqual(await textsOf('label', 'things'), [...labels, 'and', 'more'])
      assert.deepEqual(await textsOf('email', 'owners'), ['x'])
    })

    it('come with the commit when they are left at the end', async () => {
      await driver.transaction(async (tx) => {
        tx.withCommit(() => things.soon(loose('second'), tx))
        tx.withCommit(() => owners.soon([{ email: 'x' }], tx))
        tx.beforeCommit(() => things.soon(loose('first'), tx))
      })
      assert.deepEqual(await textsOf('label', 'things'), ['first', 'second'])
      assert.deepEqual(await textsOf('email', 'owners'), ['x'])
    })

    it('go with a rollback', async () => {
      const failing = driver.transaction(async (tx) => {
        things.soon(loose('a'), tx)
        await textsOf('label', 'things', tx)
        things.soon(loose('b'), tx)
        throw new Error('veto')
      })
      await assert.rejects(failing, /veto/)
      assert.deepEqual(await textsOf('label', 'things'), [])
    })

    const wayOut = {
      'the commit': async () => undefined,
      'the next query': async (tx: Pick<Driver, 'all'>) => {
        await textsOf('label', 'things', tx)
      },
    }
    for (const [name, leave] of Object.entries(wayOut)) {
      it(`fail ${name} where they are refused, as their owner explains`, async () => {
        await owners([{ email: 'taken' }])
        const explain = (error: unknown) => new Error('no such owner', { cause: error })
        const failing = driver.transaction(async (tx) => {
          owners.soon([{ email: 'new' }], tx, () => new Error('not this one'))
          things.soon([{ label: 'a', owner: 999_999 }], tx, explain)
          await leave(tx)
        })
        await assert.rejects(failing, (error: Error) => {
          assert.equal(error.message, 'no such owner')
          assert.ok(error.cause instanceof DatabaseError)
          assert.equal(error.cause.kind, 'reference')
          return true
        })
        const taking = driver.transaction(async (tx) => {
          things.soon(loose('a'), tx, explain)
          owners.soon([{ email: 'taken' }], tx)
          await leave(tx)
        })
        await assert.rejects(taking, (error) => error instanceof DatabaseError && error.kind === 'unique')
        assert.deepEqual(await textsOf('label', 'things'), [])
        assert.deepEqual(await textsOf('email', 'owners'), ['taken'])
      })
    }

    it('fail the transaction also where the failure of the query behind them is caught', async () => {
      await owners([{ email: 'taken' }])
      const failing = driver.transaction(async (tx) => {
        owners.soon([{ email: 'taken' }], tx)
        await textsOf('label', 'things', tx).catch(() => [])
      })
      await assert.rejects(failing, (error) => error instanceof DatabaseError && error.kind === 'unique')
    })
  })
})
