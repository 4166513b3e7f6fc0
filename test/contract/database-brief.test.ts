import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  isUniqueViolation,
  type TableSpec,
  type Transaction,
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
    ],
    indexes: [{ columns: ['email'], type: 'unique' }],
  },
]

eachDatabase((database) => {
  let driver: Driver
  let url: string
  let close: () => Promise<void>

  before(async () => {
    ;({ driver, url, close } = await openTestDatabase(database, tables))
  })

  after(() => close())

  beforeEach(async () => {
    await driver.run(driver.prepare(sql`delete from owners`))
  })

  const insert = (tx: Pick<Driver, 'run'>, email: string) =>
    tx.run(
      driver.prepare(
        sql`insert into owners (email) values (${driver.dialect.placeholder('email', 'string')})`,
      ),
      { email },
    )

  async function emails(on: Pick<Driver, 'all'> = driver): Promise<string[]> {
    const all = driver.prepare<{ email: string }>(sql`select email from owners order by email`)
    return (await on.all(all)).map(({ email }) => email)
  }

  const brief = <T>(work: (tx: Transaction) => Promise<T>) => driver.transaction(work, { isBrief: true })

  const outcomesOf = async (all: readonly Promise<unknown>[]): Promise<string[]> =>
    (await Promise.allSettled(all)).map((result) =>
      result.status === 'fulfilled' ? String(result.value) : String(result.reason.message),
    )

  describe('brief transactions that come at the same time', () => {
    it('are committed when they are answered, for others too', async () => {
      const other = await openUrl(url)
      try {
        const seen = await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            const email = `m${String(index).padStart(2, '0')}`
            await brief(async (tx) => void (await insert(tx, email)))
            return (await emails(other)).includes(email)
          }),
        )
        assert.ok(seen.every(Boolean))
        assert.equal((await emails()).length, 20)
      } finally {
        await other.close()
      }
    })

    it('are each kept, whatever becomes of the others', async () => {
      const outcomes = await outcomesOf([
        brief(async (tx) => void (await insert(tx, 'a'))),
        brief(async (tx) => {
          await insert(tx, 'b')
          throw new Error('changed my mind')
        }),
        brief(async () => {
          throw new Error('never wrote')
        }),
        brief(async (tx) => void (await insert(tx, 'c'))),
      ])
      assert.deepEqual(outcomes, ['undefined', 'changed my mind', 'never wrote', 'undefined'])
      assert.deepEqual(await emails(), ['a', 'c'])
    })

    it('that fail leave nothing for what follows the commit', async () => {
      const events: string[] = []
      const told = (name: string, fails: boolean) =>
        brief(async (tx) => {
          tx.afterCommit(() => events.push(name))
          await insert(tx, name)
          if (fails) throw new Error('veto')
        })
      await outcomesOf([told('a', false), told('b', true), told('c', false)])
      assert.deepEqual(events.toSorted(), ['a', 'c'])
    })

    it('want the same value, and one gets it', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => brief(async (tx) => void (await insert(tx, 'wanted')))),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const result of results)
        if (result.status === 'rejected') assert.ok(isUniqueViolation(result.reason))
      assert.deepEqual(await emails(), ['wanted'])
    })

    it('take turns with others and with writes beside them', async () => {
      const writes = Array.from({ length: 60 }, (_, index) => {
        const email = `w${index}`
        if (index % 3 === 0) return insert(driver, email)
        const work = async (tx: Transaction) => {
          await insert(tx, email)
          if (index % 4 === 0) await new Promise((resolve) => setImmediate(resolve))
          await emails(tx)
        }
        return index % 3 === 1 ? brief(work) : driver.transaction(work)
      })
      await Promise.all(writes)
      assert.equal((await emails()).length, 60)
    })

    it('are over before the database closes', async () => {
      const other = await openUrl(url)
      const writing = other.transaction(async (tx) => void (await insert(tx, 'last')), { isBrief: true })
      await Promise.all([writing, writing.then(() => other.close())])
      assert.deepEqual(await emails(), ['last'])
    })
  })
})
