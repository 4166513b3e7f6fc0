import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  clearColumn,
  deleteAll,
  deleteOthers,
} from '../../core-plugins/administration/backups/restore/empty-tables.ts'
import type { FittedColumn } from '../../core-plugins/administration/backups/restore/fit.ts'
import { createInsertRows } from '../../core-plugins/administration/backups/restore/insert-rows.ts'
import type { ColumnSpec, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { sectionTable } from './table-specs.ts'

const nodes: TableSpec = {
  name: 'nodes',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'parent_id', kind: 'reference', nullable: true },
  ],
  references: [{ column: 'parent_id', table: 'nodes', onDelete: 'restrict' }],
}

const links: TableSpec = {
  name: 'links',
  columns: [
    { name: 'source', kind: 'string', length: 20 },
    { name: 'target_id', kind: 'reference' },
  ],
  primaryKey: ['source', 'target_id'],
}

const cells = Array.from({ length: 300 }, (_, index) => `c${index}`)

const wide: TableSpec = {
  name: 'wide',
  columns: [
    { name: 'id', kind: 'id' },
    ...cells.map((name): ColumnSpec => ({ name, kind: 'integer', nullable: true })),
  ],
}

/** More than two statements' worth. */
const many = 4_500

const fitted = ({ columns }: TableSpec): FittedColumn[] =>
  columns.map(({ name, kind, nullable = false }, from) => ({
    ...{ name, kind, nullable, from, length: 255, default: null },
  }))

eachDatabase((database) => {
  let driver: Driver
  let close: () => Promise<void>

  before(async () => {
    ;({ driver, close } = await openTestDatabase(database, [nodes, links, wide]))
  })
  after(() => close?.())

  beforeEach(() =>
    driver.transaction(async (tx) => {
      for (const { name } of [nodes, links, wide]) {
        await deleteAll(driver, sectionTable(name, tableNamed(name)), tx)
      }
    }),
  )

  const tableNamed = (name: string) => [nodes, links, wide].find((each) => each.name === name) ?? nodes

  const insert = (table: TableSpec, rows: readonly (readonly unknown[])[]) =>
    driver.transaction((tx) => createInsertRows(driver, table.name, fitted(table))(rows, tx))

  /** Rows from 1 up, each of which points at the first. */
  const fillNodes = () =>
    insert(
      nodes,
      Array.from({ length: many }, (_, index) => [index + 1, 1]),
    )

  const ask = async (from: string, ...values: string[]) => {
    const selected = values.map((value, index) => `${value} as v${index}`).join(', ')
    const row = await driver.get(driver.prepare(sql.raw(`select ${selected} from ${from}`)))
    return values.map((_, index) => Number(row?.[`v${index}`]))
  }

  describe('the rows of a restore', () => {
    it('are inserted whole and in few statements, however many they are', async () => {
      const rows = Array.from({ length: 1_000 }, (_, index) => [`s${index % 7}`, index])
      const statements = await countStatements(driver, () => insert(links, rows), 'links')
      assert.ok(statements < 12, `${statements} statements`)
      assert.deepEqual(await ask('links', 'count(*)', 'sum(target_id)', 'min(target_id)'), [
        ...[1_000, 499_500, 0],
      ])
      assert.deepEqual(await ask(`links where source = 's6'`, 'count(*)'), [142])
    })

    it('are inserted where they have many columns, each value in its place', async () => {
      const rows = Array.from({ length: 150 }, (_, row) => [row + 1, ...cells.map((_, cell) => row * cell)])
      await insert(wide, rows)
      assert.deepEqual(await ask('wide', 'count(*)', 'sum(c0)', 'sum(c1)', 'sum(c299)', 'max(c299)'), [
        150,
        0,
        11_175,
        11_175 * 299,
        149 * 299,
      ])
    })

    it('are deleted whole and in portions, by whatever key', async () => {
      await insert(
        links,
        Array.from({ length: many }, (_, index) => [`source ${index % 3_000}`, index]),
      )
      const table = sectionTable('links', links)
      const statements = await countStatements(
        driver,
        () => driver.transaction((tx) => deleteAll(driver, table, tx)),
        'delete from',
      )
      assert.ok(statements >= 3, `${statements} statements`)
      assert.deepEqual(await ask('links', 'count(*)'), [0])
    })

    it('lose a reference to themselves in portions, so that they can be deleted in any order', async () => {
      await fillNodes()
      const table = sectionTable('nodes', nodes)
      const statements = await countStatements(
        driver,
        () => driver.transaction((tx) => clearColumn(driver, { table, column: 'parent_id' }, tx)),
        'update',
      )
      assert.ok(statements >= 3, `${statements} statements`)
      assert.deepEqual(await ask('nodes', 'count(*)', 'count(parent_id)'), [many, 0])
    })

    for (const [what, kept] of [
      ['many', Array.from({ length: 2_250 }, (_, index) => 2 * index + 1)],
      ['as many as a portion', Array.from({ length: 2_000 }, (_, index) => index + 2_001)],
      ['one', [17]],
      ['none', []],
    ] as const) {
      it(`are deleted but for ${what} that others refer to`, async () => {
        await insert(
          nodes,
          Array.from({ length: many }, (_, index) => [index + 1, null]),
        )
        const table = sectionTable('nodes', nodes)
        async function* ids() {
          yield* kept
        }
        await driver.transaction((tx) => deleteOthers(driver, { table, ids: ids() }, tx))
        const sum = kept.reduce((total, id) => total + id, 0)
        assert.deepEqual(await ask('nodes', 'count(*)', 'coalesce(sum(id), 0)'), [kept.length, sum])
      })
    }
  })
})
