import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { ColumnKind, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'

const kinds: Record<string, ColumnKind> = {
  id: 'id',
  ref: 'reference',
  int: 'integer',
  big: 'bigint',
  dec: 'decimal',
  bool: 'boolean',
  str: 'string',
  txt: 'text',
  day: 'date',
  moment: 'datetime',
  data: 'json',
  place: 'point',
}

const table: TableSpec = {
  name: 'samples',
  columns: Object.entries(kinds).map(([name, kind]) => ({ name, kind, nullable: kind !== 'id' })),
}

eachDatabase((database) => {
  let driver: Driver
  let close: () => Promise<void>

  before(async () => {
    ;({ driver, close } = await openTestDatabase(database, [table]))
  })

  after(() => close())

  async function roundTrip(name: string, value: unknown): Promise<unknown> {
    const { dialect } = driver
    const kind = kinds[name] as ColumnKind
    const column = sql`${sql.identifier(name)}`
    const insert = driver.prepare(
      sql`insert into samples (${column}) values (${dialect.placeholder('value', kind)})`,
    )
    const { insertId, changes } = await driver.run(insert, { value: dialect.bind(value, kind) })
    assert.equal(changes, 1)
    const select = driver.prepare<{ value: unknown }>(
      sql`select ${dialect.select(column, kind)} as ${sql.identifier('value')} from samples
        where id = ${dialect.placeholder('id', 'id')} and (${column} = ${dialect.placeholder('value', kind)} or 1 = 1)`,
      { value: kind },
    )
    const row = await driver.get(select, { id: insertId, value: dialect.bind(value, kind) })
    return row?.value
  }

  for (const [name, value, expected = value] of [
    ['int', 0],
    ['place', { lat: 47.3769, lng: 8.5417 }],
    ['place', { lat: -90, lng: -180 }],
    ['place', { lat: 90, lng: 180 }],
    ['place', { lat: -0.0000001, lng: 0.0000001 }],
    ['place', null],
    ['int', Number.MAX_SAFE_INTEGER],
    ['int', Number.MIN_SAFE_INTEGER],
    ['ref', 7],
    ['big', '9223372036854775807'],
    ['big', '-9223372036854775808'],
    ['big', 9007199254740993n, '9007199254740993'],
    ['big', '12', 12],
    ['dec', '12345678901234567890123456789012345.123456789012345678901234567891'],
    ['dec', '-0.000000000000000000000000000001'],
    ['dec', '1.50', 1.5],
    ['dec', '-0', 0],
    ['dec', 0.1],
    ['dec', 1e21, '1000000000000000000000'],
    ['dec', '1e-7', '0.0000001'],
    ['bool', true],
    ['bool', false],
    ['str', 'ẞ 😀 \\ \' " ` ? $1 :x %_'],
    ['str', ''],
    ['str', ' trailing  '],
    ['txt', 'x'.repeat(100_000)],
    ['day', '0001-01-01'],
    ['day', '9999-12-31'],
    ['moment', '2026-01-31T08:00:00.000Z'],
    ['moment', '2026-06-30T23:59:59.999Z'],
    ['moment', '1000-01-01T00:00:00.001Z'],
    ['moment', '9999-12-31T23:59:59.999Z'],
    ['data', { z: 1, a: [true, null, 'x'], '10': 1, nested: { b: '\u0000', a: 1.5 } }],
    ['data', 'text'],
    ['data', 12],
    ['data', false],
    ['data', []],
  ] as [string, unknown, unknown?][]) {
    it(`keeps ${name} ${String(JSON.stringify(String(value))).slice(0, 60)}`, async () => {
      const read = await roundTrip(name, value)
      assert.deepEqual(read, expected)
      if (name === 'data') assert.equal(JSON.stringify(read), JSON.stringify(value))
    })
  }

  for (const name of Object.keys(kinds).filter((name) => name !== 'id')) {
    it(`keeps null in ${name}`, async () => assert.equal(await roundTrip(name, null), null))
  }
})
