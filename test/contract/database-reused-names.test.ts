import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { ColumnSpec, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { GivenName } from '../../core-plugins/foundation/database/sync/given-names.ts'
import { unobserved } from '../../core-plugins/foundation/database/sync/progress.ts'
import {
  previewSync,
  synchronize,
  syncOnDemand,
} from '../../core-plugins/foundation/database/sync/synchronize.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { insertRow, selectRows, type TableRow } from '../support/table-rows.ts'

const id: ColumnSpec = { name: 'id', kind: 'id' }

const authors: TableSpec = { name: 'authors', columns: [id, { name: 'name', kind: 'string' }] }

/** A column as `name`, or as `name < earlier name`; those that end in `_id` refer to an author. */
function columnIn(words: string): ColumnSpec {
  const [name = '', renamedFrom] = words.split(' < ')
  const kind = name.endsWith('_id') ? 'reference' : 'string'
  return { name, kind, nullable: true, ...(renamedFrom === undefined ? {} : { renamedFrom }) }
}

/** A table of such columns, which are unique and refer to authors. */
function notes(...columns: string[]): TableSpec {
  const specs = columns.map(columnIn)
  return {
    name: 'notes',
    columns: [id, ...specs],
    indexes: specs.map(({ name }) => ({ columns: [name], type: 'unique' })),
    references: specs
      .filter(({ kind }) => kind === 'reference')
      .map(({ name }) => ({ column: name, table: 'authors', onDelete: 'set null' })),
  }
}

eachDatabase((database) => {
  const closers: (() => Promise<void>)[] = []

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  let given: readonly GivenName[] = []

  /** Starts with each of the tables, and without a change once more. */
  async function start(driver: Driver, ...versions: readonly TableSpec[]) {
    for (const version of versions) {
      driver.useTables([authors, version])
      await synchronize(driver, [authors, version], unobserved, async (_driver, _declared, names) => {
        given = names
      })
      const again = await synchronize(driver, [authors, version])
      assert.deepEqual(again.applied, [])
    }
  }

  async function open(first: TableSpec, rows: readonly TableRow[]): Promise<Driver> {
    const opened = await openTestDatabase(database, [authors, first])
    closers.push(opened.close)
    for (const name of ['Ada', 'Bob', 'Cleo']) await insertRow(opened.driver, authors, { name })
    for (const row of rows) await insertRow(opened.driver, first, row)
    return opened.driver
  }

  const set = (driver: Driver, column: string, value: unknown, row = 1) =>
    driver.run(
      driver.prepare(
        sql`update notes set ${sql.identifier(column)} = ${sql.placeholder('value')} where id = ${sql.raw(String(row))}`,
      ),
      { value },
    )

  /** What the first row holds, by column. */
  async function first(driver: Driver, table: TableSpec): Promise<TableRow> {
    const [{ id: _, ...row } = {}] = await selectRows(driver, table)
    return row
  }

  /** Every declared column holds what was written to it, and writing one changes no other. */
  async function assertApart(driver: Driver, table: TableSpec, expected: TableRow) {
    assert.deepEqual(await first(driver, table), expected)
    const names = Object.keys(expected)
    for (const [index, name] of names.entries()) {
      const value = name.endsWith('_id') ? (index % 3) + 1 : `new ${name}`
      await set(driver, name, value)
      expected[name] = value
      assert.deepEqual(await first(driver, table), expected)
    }
    const empty = Object.fromEntries(names.map((name) => [name, null]))
    const added = await insertRow(driver, table, empty)
    const rows = await selectRows(driver, table)
    assert.deepEqual(rows.at(-1), { id: added, ...empty })
    assert.deepEqual(
      (await previewSync(driver, [authors, table])).filter(({ safe }) => safe),
      [],
    )
  }

  describe('the earlier name of a column, given to another attribute', () => {
    it('in the start after the rename begins empty', async () => {
      const driver = await open(notes('a', 'b'), [{ a: 'A', b: 'B' }])
      await start(driver, notes('a2 < a', 'b'))
      const table = notes('a2 < a', 'b', 'a')
      // The schema files refuse this; a `renamedFrom` that has done its work is left out.
      const written = notes('a2', 'b', 'a')
      await start(driver, written)
      assert.deepEqual(await first(driver, table), { a2: 'A', b: 'B', a: null })
      await assertApart(driver, written, { a2: 'A', b: 'B', a: null })
    })

    it('in the start that renames the column once more begins empty', async () => {
      const driver = await open(notes('a', 'b'), [{ a: 'A', b: 'B' }])
      const second = notes('a2 < a', 'b')
      await start(driver, second)
      await set(driver, 'a2', 'A2')
      const third = notes('a3 < a2', 'b', 'a')
      await start(driver, third)
      await assertApart(driver, third, { a3: 'A2', b: 'B', a: null })
      const fourth = notes('a4 < a3', 'b', 'a', 'a2')
      await start(driver, fourth)
      await assertApart(driver, fourth, { a4: 'new a3', b: 'new b', a: 'new a', a2: null })
    })

    it('with its references and unique values begins empty', async () => {
      const driver = await open(notes('a_id', 'b'), [{ a_id: 1, b: 'B' }])
      await start(driver, notes('a2_id < a_id', 'b'))
      const table = notes('a3_id < a2_id', 'b', 'a_id')
      await start(driver, table)
      await assertApart(driver, table, { a3_id: 1, b: 'B', a_id: null })
      await driver.run(driver.prepare(sql`delete from authors`))
      assert.deepEqual(await first(driver, table), { a3_id: null, b: 'new b', a_id: null })
    })

    it('with another type begins empty', async () => {
      const driver = await open(notes('a', 'b'), [{ a: 'A', b: 'B' }])
      await start(driver, notes('a2 < a', 'b'))
      const table: TableSpec = {
        name: 'notes',
        columns: [id, columnIn('a2'), columnIn('b'), { name: 'a', kind: 'integer', nullable: true }],
      }
      await start(driver, table)
      assert.deepEqual(await first(driver, table), { a2: 'A', b: 'B', a: null })
      await set(driver, 'a', 5)
      await set(driver, 'a2', 'other')
      assert.deepEqual(await first(driver, table), { a2: 'other', b: 'B', a: 5 })
    })

    it('that was renamed is the name of the other one: two columns change their names', async () => {
      const driver = await open(notes('a', 'b'), [{ a: 'A', b: 'B' }])
      const table = notes('a < b', 'b < x')
      await start(driver, notes('x < a', 'b'), notes('x', 'a < b'), table)
      await assertApart(driver, notes('a', 'b < x'), { a: 'B', b: 'A' })
    })

    it('after the attribute was taken away begins empty, and the other one comes back', async () => {
      const driver = await open(notes('a', 'b'), [{ a: 'A', b: 'B' }])
      const table = notes('b', 'a')
      await start(driver, notes('a2 < a', 'b'), notes('b'), table)
      await assertApart(driver, table, { b: 'B', a: null })
      await start(driver, notes('b', 'a', 'a2'))
      assert.deepEqual(await first(driver, notes('b', 'a', 'a2')), { b: 'new b', a: 'new a', a2: 'A' })
    })
  })

  describe('a column that is renamed', () => {
    it('back again has its values under that name alone, and can be renamed again', async () => {
      const driver = await open(notes('a', 'b'), [{ a: 'A', b: 'B' }])
      await start(driver, notes('a2 < a', 'b'), notes('a < a2', 'b'))
      assert.deepEqual(await previewSync(driver, [authors, notes('a < a2', 'b')]), [])
      const table = notes('a', 'b', 'a2')
      await start(driver, table)
      await assertApart(driver, table, { a: 'A', b: 'B', a2: null })
      const last = notes('c < a', 'b', 'a2')
      await start(driver, last)
      await assertApart(driver, last, { c: 'new a', b: 'new b', a2: 'new a2' })
    })

    it('several times is written and read under all of its names', async () => {
      if (database.name === 'sqlite') return
      const versions = [notes('a', 'b'), notes('a2 < a', 'b'), notes('a3 < a2', 'b'), notes('z < a3', 'b')]
      const driver = await open(versions[0] as TableSpec, [{ a: 'A', b: 'B' }])
      await start(driver, ...versions.slice(1))
      const names = ['a', 'a2', 'a3', 'z']
      const assertSame = async (value: string) => {
        for (const [index, version] of versions.entries()) {
          assert.equal((await selectRows(driver, version)).at(-1)?.[names[index] ?? ''], value)
        }
      }
      await assertSame('A')
      for (const [index, name] of names.entries()) {
        await insertRow(driver, versions[index] as TableSpec, { [name]: `made as ${name}` })
        await assertSame(`made as ${name}`)
        await set(driver, name, `set as ${name}`, index + 2)
        await assertSame(`set as ${name}`)
      }
      const table = versions[3] as TableSpec
      assert.deepEqual((await syncOnDemand(driver, [authors, table], {})).blocked, [])
      await assertApart(driver, table, { z: 'A', b: 'B' })
    })
  })

  describe('the name of an attribute that was taken away, given to a renamed one', () => {
    for (const [when, between] of [
      ['before', [notes('b')]],
      ['in the same start', []],
    ] as const) {
      it(`${when}, has the values of the renamed one alone; those of the other wait for a decision`, async () => {
        const driver = await open(notes('a', 'b'), [{ a: 'A', b: 'B' }])
        const table = notes('a < b')
        await start(driver, ...between, table)
        assert.deepEqual(await first(driver, table), { a: 'B' })
        assert.deepEqual(given, [{ table: 'notes', column: 'a' }])
        const waiting = (await previewSync(driver, [authors, table])).filter(({ safe }) => !safe)
        assert.deepEqual(
          waiting.map(({ change, column }) => [change, column]),
          [['drop-column', 'a@1']],
        )
        await start(driver, notes('a'), notes('a', 'c'))
        await assertApart(driver, notes('a', 'c'), { a: 'B', c: null })
        const { blocked } = await syncOnDemand(driver, [authors, notes('a', 'c')], { mayLose: () => true })
        assert.deepEqual(blocked, [])
        assert.deepEqual(await first(driver, notes('a', 'c')), { a: 'new a', c: 'new c' })
      })
    }

    it('with earlier names and references of their own', async () => {
      const driver = await open(notes('x_id', 'y_id'), [{ x_id: 1, y_id: 2 }])
      await start(driver, notes('a_id < x_id', 'y_id'), notes('b_id < y_id'), notes('a_id < b_id'))
      await assertApart(driver, notes('a_id < b_id'), { a_id: 2 })
      await start(driver, notes('x_id < a_id'))
      await assertApart(driver, notes('x_id < a_id'), { x_id: 1 })
    })

    it('is not taken for a rename that was carried out and taken back', async () => {
      const driver = await open(notes('a'), [{ a: 'A' }])
      await start(driver, notes('b < a'), notes('a'), notes('b < a'))
      assert.deepEqual(await first(driver, notes('b < a')), { b: 'A' })
    })
  })

  describe('a deployment that is taken back', () => {
    it('gives the later name to another attribute, which begins empty', async () => {
      if (database.name === 'sqlite') return
      const driver = await open(notes('a', 'b'), [{ a: 'A', b: 'B' }])
      const table = notes('a', 'b', 'a2')
      await start(driver, notes('a2 < a', 'b'), notes('a', 'b'), table)
      await assertApart(driver, table, { a: 'A', b: 'B', a2: null })
    })
  })
})
