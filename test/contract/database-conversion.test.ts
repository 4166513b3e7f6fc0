import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { ColumnKind, ColumnSpec, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { convertValue } from '../../core-plugins/foundation/database/sync/conversion.ts'
import {
  previewSync,
  synchronize,
  syncOnDemand,
} from '../../core-plugins/foundation/database/sync/synchronize.ts'
import { countSchemaStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { slow } from '../support/scope.ts'
import { scriptArguments } from '../support/script.ts'
import { insertRow, selectRows, type TableRow } from '../support/table-rows.ts'

type Held = Pick<ColumnSpec, 'kind' | 'length'>

const texts = [
  ...[
    '',
    ' ',
    '12',
    ' 12 ',
    '007',
    '+5',
    '-9007199254740992',
    '99999999999999999999',
    '1.50',
    '-0.0',
    '1e3',
    '.5',
  ],
  ...[
    'true',
    'FALSE',
    '1',
    '0',
    'yes',
    'x',
    "it's",
    '%_\\',
    'trailing  ',
    'äöü ß 👩‍👩‍👧 end',
    '{"a": 1}',
    'null',
  ],
  ...[
    '2026-01-31',
    '2026-01-31T08:00:00.5+02:00',
    '2026-02-31',
    '1969-12-31T23:59:59.999Z',
    '0001-01-01',
    '31.1.2026',
  ],
]

const wholes = [0, 1, -1, 42, 100, 123456, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

/** What the columns of each kind hold. */
const values: Partial<Record<ColumnKind, readonly unknown[]>> = {
  integer: wholes,
  bigint: [...wholes, '9223372036854775807', '-9223372036854775808', '9007199254740993'],
  decimal: [
    ...[0, 1, -1, 100, 1.5, '1.50', '-0.5', '1000000000000000000000', 1e21, '0.0000001', 1e-7, '0.1', '-0.0'],
    ...[`${'9'.repeat(35)}.${'9'.repeat(30)}`, `-0.${'0'.repeat(29)}1`, '10.000000000000000000000000000001'],
  ],
  boolean: [true, false],
  string: texts,
  text: [...texts, 'long '.repeat(400)],
  date: ['2026-01-31', '2024-02-29', '1969-12-31', '1000-01-01', '9999-12-31'],
  datetime: [
    '2026-01-31T08:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '2026-06-30T22:00:00.010Z',
    '9999-12-31T23:59:59.100Z',
  ],
  json: [{ a: [1, 'ü'] }, [], 'text', '12', 12, 1.5, true, false, '2026-01-31', { long: 'x'.repeat(300) }],
}

const targets: readonly Held[] = [
  { kind: 'integer' },
  { kind: 'bigint' },
  { kind: 'decimal' },
  { kind: 'boolean' },
  { kind: 'string', length: 5 },
  { kind: 'string', length: 30 },
  { kind: 'string', length: 80 },
  { kind: 'text' },
  { kind: 'date' },
  { kind: 'datetime' },
  { kind: 'json' },
]

const id: ColumnSpec = { name: 'id', kind: 'id' }

const nameOf = ({ kind, length }: Held) => `as_${kind}${length ?? ''}`

const tableOf = (name: string, columns: readonly ColumnSpec[]): TableSpec => ({
  name,
  columns: [id, ...columns],
})

eachDatabase((database) => {
  const closers: (() => Promise<void>)[] = []

  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  async function open(tables: readonly TableSpec[]) {
    const opened = await openTestDatabase(database, tables)
    closers.push(opened.close)
    return opened
  }

  describe('a conversion', () => {
    for (const [kind, held] of Object.entries(values) as [ColumnKind, readonly unknown[]][]) {
      it(`of ${kind} makes of each value what converting it by itself makes`, async () => {
        const to = targets.filter((target) => target.kind !== kind)
        const length = kind === 'string' ? { length: 60 } : {}
        const before = to.map(
          (target): ColumnSpec => ({ name: nameOf(target), kind, ...length, nullable: true }),
        )
        const after = to.map((target): ColumnSpec => ({ name: nameOf(target), ...target, nullable: true }))
        const expected = tableOf('expected', after)
        const { driver } = await open([tableOf('held', before), expected])
        for (const value of [...held, null]) {
          await insertRow(
            driver,
            tableOf('held', before),
            rowOf(before, () => value),
          )
        }
        for (const { id: _, ...row } of await selectRows(driver, tableOf('held', before))) {
          await insertRow(
            driver,
            expected,
            rowOf(after, (column) => convertValue(row[column.name], column)),
          )
        }
        const tables = [tableOf('held', after), expected]
        const { blocked } = await syncOnDemand(driver, tables, { mayLose: () => true })
        assert.deepEqual(blocked, [])
        assert.deepEqual(await selectRows(driver, tableOf('held', after)), await selectRows(driver, expected))
      })
    }

    it('of a column that is a reference and in an index leaves it without them', async () => {
      const authors = tableOf('authors', [{ name: 'name', kind: 'string', nullable: true }])
      const author: ColumnSpec = { name: 'author', kind: 'reference', nullable: true }
      const articles: TableSpec = {
        ...tableOf('articles', [author]),
        indexes: [{ columns: ['author'], type: 'unique' }],
        references: [{ column: 'author', table: 'authors', onDelete: 'restrict' }],
      }
      const { driver } = await open([authors, articles])
      const first = await insertRow(driver, authors, { name: 'Ada' })
      await insertRow(driver, articles, { author: first })
      const told: TableSpec = {
        ...tableOf('articles', [{ name: 'author', kind: 'text', nullable: true, default: 'nobody' }]),
        indexes: [{ columns: ['author'], type: 'unique' }],
      }
      assert.deepEqual((await synchronize(driver, [authors, told])).blocked, [])
      assert.deepEqual(await previewSync(driver, [authors, told]), [])
      await driver.run(driver.prepare(sql`delete from authors`))
      const second = await insertRow(driver, told, { author: 'x'.repeat(3_000) })
      assert.deepEqual(await selectRows(driver, told), [
        { id: 1, author: String(first) },
        { id: second, author: 'x'.repeat(3_000) },
      ])
    })
  })

  describe('a table of 20,480 rows', () => {
    const many = 20_480
    const price: ColumnSpec = { name: 'price', kind: 'decimal', nullable: true }
    const held = [1.5, '0.0000001', 100, '1234567890123456789012.5', null]

    async function openLarge(column: ColumnSpec, cells: readonly unknown[]) {
      const table = tableOf('things', [column])
      const opened = await open([table])
      for (const cell of cells) await insertRow(opened.driver, table, { [column.name]: cell })
      await fill(opened.driver, column.name, cells.length)
      return opened
    }

    it('is converted with a few statements where the database has words for it', async () => {
      const { driver } = await openLarge(price, held)
      const statements = countSchemaStatements(driver)
      const told = tableOf('things', [{ ...price, kind: 'string', length: 80 }])
      assert.deepEqual((await synchronize(driver, [told])).blocked, [])
      assert.ok(statements.count() < 60, `${statements.count()} statements`)
      assert.deepEqual(
        await selectRows(driver, told),
        expectedRows(held.map((value) => (value === null ? null : String(value)))),
      )
    })

    it('is converted with a statement for every fifty rows elsewhere', async () => {
      const words: ColumnSpec = { name: 'price', kind: 'string', length: 20, nullable: true }
      const { driver } = await openLarge(words, ['12', 'twelve', '-7', '', null])
      const statements = countSchemaStatements(driver)
      const told = tableOf('things', [{ ...price, kind: 'integer' }])
      assert.deepEqual((await syncOnDemand(driver, [told], { mayLose: () => true })).blocked, [])
      assert.ok(statements.count() < 700, `${statements.count()} statements`)
      assert.deepEqual(await selectRows(driver, told), expectedRows([12, null, -7, null, null]))
    })

    it('serves those who know the column as it was, when its conversion was killed', slow, async () => {
      const { driver, url } = await openLarge(price, held)
      const before = tableOf('things', [price])
      const told = tableOf('things', [{ ...price, kind: 'text' }])
      let killed = 0
      for (const statements of [1, 2, 3]) {
        if (!(await isKilled(url, [told], statements))) break
        assert.equal((await selectRows(driver, before)).length, many + killed)
        await insertRow(driver, before, { price: 1.25 })
        killed += 1
      }
      assert.ok(killed > 0)
      await synchronize(driver, [told])
      const rows = await selectRows(driver, told)
      assert.deepEqual(
        rows.slice(0, many),
        expectedRows(held.map((value) => (value === null ? null : String(value)))),
      )
      assert.deepEqual(new Set(rows.slice(many).map((row) => row.price)), new Set(['1.25']))
      assert.deepEqual(await previewSync(driver, [told]), [])
    })

    function expectedRows(cells: readonly unknown[]): TableRow[] {
      return Array.from({ length: many }, (_, index) => ({
        id: index + 1,
        price: cells[index % cells.length],
      }))
    }

    /** Doubles the rows, in their order, until there are so many. */
    async function fill(driver: Driver, column: string, from: number) {
      const name = sql.identifier(column)
      const copy = sql`insert into things (id, ${name}) select id + (select count(*) from things), ${name} from things`
      for (let count = from; count < many; count *= 2) await driver.run(driver.prepare(copy))
      const advance = driver.dialect.advanceIds('things', 'id')
      if (advance !== undefined) await driver.all(driver.prepare(advance))
    }
  })
})

function rowOf(columns: readonly ColumnSpec[], cellOf: (column: ColumnSpec) => unknown): TableRow {
  return Object.fromEntries(columns.map((column) => [column.name, cellOf(column)]))
}

const program = fileURLToPath(new URL('../support/sync-process.ts', import.meta.url))

/** Syncs in a process that dies after so many statements, unless it is done before that. */
async function isKilled(url: string, tables: readonly TableSpec[], statements: number): Promise<boolean> {
  const programArguments = [url, JSON.stringify(tables), String(statements)]
  const child = spawn(process.execPath, [...scriptArguments(program), ...programArguments], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  return signal === 'SIGKILL'
}
