import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { sql } from 'drizzle-orm'
import type { ColumnSpec, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import {
  previewSync,
  synchronize,
  syncOnDemand,
} from '../../core-plugins/foundation/database/sync/synchronize.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase, openUrl } from '../support/open-test-database.ts'
import { insertRow, selectRows } from '../support/table-rows.ts'

const id: ColumnSpec = { name: 'id', kind: 'id' }

const authors: TableSpec = { name: 'authors', columns: [id, { name: 'name', kind: 'string' }] }

const articles = (columns: readonly ColumnSpec[], writer: string): TableSpec => ({
  name: 'articles',
  columns: [id, ...columns],
  indexes: [{ columns: [columns[0]?.name ?? ''], type: 'unique' }],
  references: [{ column: writer, table: 'authors', onDelete: 'set null' }],
})

const before = articles(
  [
    { name: 'title', kind: 'string', length: 100, nullable: true },
    { name: 'writer_id', kind: 'reference', nullable: true },
  ],
  'writer_id',
)

const headline: ColumnSpec = {
  name: 'headline',
  kind: 'string',
  length: 100,
  nullable: true,
  renamedFrom: 'title',
}

const author: ColumnSpec = {
  name: 'author_id',
  kind: 'reference',
  nullable: true,
  renamedFrom: 'writer_id',
}

const after = articles([headline, author], 'author_id')

const earlierTables = [authors, before]
const laterTables = [authors, after]

eachDatabase((database) => {
  // A file of SQLite is not shared by processes of two versions; the column is renamed at once there.
  if (database.name === 'sqlite') return
  const closers: (() => Promise<void>)[] = []

  afterEach(async () => {
    mock.timers.reset()
    for (const close of closers.splice(0).reverse()) await close()
  })

  /** The drivers of a process that knows the earlier names, and of one that has renamed two columns. */
  async function openTwo() {
    const opened = await openTestDatabase(database, earlierTables)
    closers.push(opened.close)
    const earlier = opened.driver
    await insertRow(earlier, authors, { name: 'Ada' })
    await insertRow(earlier, before, { title: 'kept', writer_id: 1 })
    const later = await openUrl(opened.url)
    closers.push(() => later.close())
    later.useTables(laterTables)
    assert.deepEqual((await synchronize(later, laterTables)).blocked, [])
    return { earlier, later }
  }

  const set = async (driver: Driver, column: string, value: string, row: number) => {
    const name = sql.identifier(column)
    await driver.run(driver.prepare(sql`update articles set ${name} = ${value} where id = ${row}`))
  }

  const hasColumn = async (driver: Driver, column: string) => {
    const rows = await driver.all(
      driver.prepare(sql`select 1 as found from information_schema.columns
        where table_name = 'articles' and column_name = ${column}
          and table_schema = ${database.name === 'mysql' ? sql`database()` : sql`current_schema()`}`),
    )
    return rows.length > 0
  }

  describe('a renamed column', () => {
    it('is written and read by processes that know its earlier name, and by those that know the new one', async () => {
      const { earlier, later } = await openTwo()
      assert.deepEqual(await selectRows(later, after), [{ id: 1, headline: 'kept', author_id: 1 }])
      await insertRow(earlier, before, { title: 'of the earlier', writer_id: 1 })
      await insertRow(later, after, { headline: 'of the later', author_id: null })
      await set(earlier, 'title', 'changed by the earlier', 3)
      await set(later, 'headline', 'changed by the later', 2)
      const expected = [
        [1, 'kept', 1],
        [2, 'changed by the later', 1],
        [3, 'changed by the earlier', null],
      ]
      assert.deepEqual((await selectRows(earlier, before)).map(Object.values), expected)
      assert.deepEqual((await selectRows(later, after)).map(Object.values), expected)
      for (const [driver, table, column] of [
        [earlier, before, 'title'],
        [later, after, 'headline'],
      ] as const) {
        await assert.rejects(async () => insertRow(driver, table, { [column]: 'kept' }), { kind: 'unique' })
      }
      await earlier.run(earlier.prepare(sql`delete from authors`))
      assert.deepEqual(
        new Set((await selectRows(earlier, before)).map((row) => row.writer_id)),
        new Set([null]),
      )
      assert.deepEqual(new Set((await selectRows(later, after)).map((row) => row.author_id)), new Set([null]))
    })

    it('is nothing that is pending, and loses its earlier name on demand', async () => {
      const { later } = await openTwo()
      assert.deepEqual(await previewSync(later, laterTables), [])
      assert.deepEqual(await synchronize(later, laterTables), { applied: [], blocked: [], unconverted: [] })
      assert.equal(await hasColumn(later, 'title'), true)
      assert.deepEqual((await syncOnDemand(later, laterTables, {})).blocked, [])
      assert.deepEqual([await hasColumn(later, 'title'), await hasColumn(later, 'writer_id')], [false, false])
      await set(later, 'headline', 'alone', 1)
      assert.deepEqual(await selectRows(later, after), [{ id: 1, headline: 'alone', author_id: 1 }])
      assert.deepEqual(await previewSync(later, laterTables), [])
    })

    it('loses its earlier name with the first start after an hour', async () => {
      const { later } = await openTwo()
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 61 * 60 * 1000 })
      const { applied } = await synchronize(later, laterTables)
      assert.ok(applied.some(({ change, column }) => change === 'drop-column' && column === 'title'))
      assert.equal(await hasColumn(later, 'title'), false)
      assert.deepEqual(await synchronize(later, laterTables), { applied: [], blocked: [], unconverted: [] })
    })

    it('loses it before it gets another type', async () => {
      const { later } = await openTwo()
      const longer = [authors, articles([{ ...headline, length: 200 }, author], 'author_id')]
      assert.deepEqual((await synchronize(later, longer)).blocked, [])
      await set(later, 'headline', 'x'.repeat(200), 1)
      assert.equal(await hasColumn(later, 'title'), false)
    })

    it('keeps it where the deployment is taken back, and goes on when that is made again', async () => {
      const { earlier, later } = await openTwo()
      await synchronize(earlier, earlierTables)
      await set(earlier, 'title', 'meanwhile', 1)
      assert.deepEqual((await synchronize(later, laterTables)).blocked, [])
      assert.deepEqual(await selectRows(later, after), [{ id: 1, headline: 'meanwhile', author_id: 1 }])
      await set(earlier, 'title', 'again', 1)
      assert.equal((await selectRows(later, after))[0]?.headline, 'again')
    })

    it('is dropped with what kept it the same', async () => {
      const { earlier } = await openTwo()
      await synchronize(earlier, earlierTables)
      assert.deepEqual((await syncOnDemand(earlier, earlierTables, { mayLose: () => true })).blocked, [])
      assert.equal(await hasColumn(earlier, 'headline'), false)
      await set(earlier, 'title', 'as before', 1)
      assert.deepEqual(await selectRows(earlier, before), [{ id: 1, title: 'as before', writer_id: 1 }])
    })

    it('that also gets another type has it under both names', async () => {
      const opened = await openTestDatabase(database, [
        { name: 'things', columns: [id, { name: 'price', kind: 'integer', nullable: true }] },
      ])
      closers.push(opened.close)
      const held = (name: string, kind: 'integer' | 'decimal', renamedFrom?: string): TableSpec => ({
        name: 'things',
        columns: [id, { name, kind, nullable: true, ...(renamedFrom === undefined ? {} : { renamedFrom }) }],
      })
      await insertRow(opened.driver, held('price', 'integer'), { price: 7 })
      const renamed = held('amount', 'decimal', 'price')
      assert.deepEqual((await synchronize(opened.driver, [renamed])).blocked, [])
      await insertRow(opened.driver, held('price', 'integer'), { price: 8 })
      assert.deepEqual(
        (await selectRows(opened.driver, renamed)).map((row) => row.amount),
        [7, 8],
      )
    })
  })
})
