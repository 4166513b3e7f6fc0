import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { DatabaseError, type TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { eachDatabase } from '../support/databases.ts'
import { type OpenTestDatabase, openTestDatabase } from '../support/open-test-database.ts'

const words: TableSpec = {
  name: 'words',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'word', kind: 'string', length: 100 },
  ],
  indexes: [{ columns: ['word'], type: 'unique' }],
}
const background = { isBackground: true } as const

eachDatabase((underTest) => {
  describe('transactions in the background', () => {
    let database: Driver
    let opened: OpenTestDatabase
    before(async () => {
      opened = await openTestDatabase(underTest, [words])
      database = opened.driver
    })
    after(() => opened?.close())
    beforeEach(async () => {
      await database.run(database.prepare(sql`delete from words`))
    })

    const add = (word: string) => database.prepare(sql`insert into words (word) values (${word})`)
    const all = () => database.prepare<{ word: string }>(sql`select word from words order by word`)
    const found = async () => (await database.all(all())).map(({ word }) => word)

    it('read what they write, answer ids, and are there after the commit', async () => {
      const ids = await database.transaction(async (tx) => {
        const first = await tx.run(add('apple'))
        const second = await tx.run(add('pear'))
        assert.equal(first.changes, 1)
        assert.deepEqual(
          (await tx.all(all())).map(({ word }) => word),
          ['apple', 'pear'],
        )
        assert.equal((await tx.get(all()))?.word, 'apple')
        return [first.insertId, second.insertId]
      }, background)
      assert.deepEqual(await found(), ['apple', 'pear'])
      assert.equal((ids[1] ?? 0) - (ids[0] ?? 0), 1)
      const byId = database.prepare<{ word: string }>(sql`select word from words where id = ${ids[1]}`)
      assert.equal((await database.get(byId))?.word, 'pear')
    })

    it('leave nothing where they fail, and say what the database has refused', async () => {
      await database.run(add('apple'))
      const failing = database.transaction(async (tx) => {
        await tx.run(add('pear'))
        await tx.run(add('apple'))
      }, background)
      await assert.rejects(failing, (error) => {
        assert.ok(error instanceof DatabaseError)
        assert.deepEqual([error.kind, error.table, error.columns], ['unique', 'words', ['word']])
        return true
      })
      await assert.rejects(
        database.transaction(async (tx) => {
          await tx.run(add('plum'))
          throw new Error('changed its mind')
        }, background),
        /changed its mind/,
      )
      assert.deepEqual(await found(), ['apple'])
    })

    it('and writes of requests wait for one another', async () => {
      const letters = [...'abcdefghij']
      await Promise.all(
        letters.flatMap((letter) => [
          database.transaction(async (tx) => {
            await tx.run(add(`${letter}1`))
            await nextTurn()
            await tx.run(add(`${letter}2`))
          }, background),
          database.transaction((tx) => Promise.resolve(tx.run(add(`${letter}3`)))),
          Promise.resolve(database.run(add(`${letter}4`))),
        ]),
      )
      assert.deepEqual(
        await found(),
        letters.flatMap((letter) => [1, 2, 3, 4].map((n) => letter + n)),
      )
    })

    it('let the event loop turn while the database works', {
      skip: underTest.name !== 'sqlite',
    }, async () => {
      const many = database.prepare(sql`insert into words (word)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select 'w' || i from n`)
      let turns = 0
      const state = { isOver: false }
      const turning = (async () => {
        for (; !state.isOver; turns += 1) await nextTurn()
      })()
      await database.transaction(async (tx) => {
        await tx.run(add('first'))
        turns = 0
        await tx.run(many)
      }, background)
      state.isOver = true
      await turning
      assert.ok(turns > 100, `the loop turned ${turns} times`)
    })
  })
})
