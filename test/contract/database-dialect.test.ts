import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type SQL, sql } from 'drizzle-orm'
import type { ColumnKind, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'

const kinds = {
  word: 'string',
  story: 'text',
  amount: 'decimal',
  big: 'bigint',
  rank: 'integer',
  isOn: 'boolean',
  day: 'date',
  moment: 'datetime',
} as const satisfies Record<string, ColumnKind>

const table: TableSpec = {
  name: 'words',
  columns: [
    { name: 'id', kind: 'id' },
    ...Object.entries(kinds).map(([name, kind]) => ({ name, kind, nullable: true })),
  ],
}

type Value = string | number | boolean | null

eachDatabase((database) => {
  let driver: Driver
  let close: () => Promise<void>

  before(async () => {
    ;({ driver, close } = await openTestDatabase(database, [table]))
  })

  after(() => close())

  const placeholder = (name: string, kind: ColumnKind = 'text') => driver.dialect.placeholder(name, kind)

  const column = (name: string) => sql`${sql.identifier(name)}`

  /** What an expression over given texts comes to. */
  async function evaluate(expression: SQL, values: Record<string, unknown> = {}): Promise<unknown> {
    const statement = driver.prepare<{ value: unknown }>(
      sql`select ${expression} as ${sql.identifier('value')}`,
    )
    return (await driver.get(statement, values))?.value
  }

  /** Replaces the rows by some that have these values in one column; the answer is by `id`, from 1. */
  async function fill(name: keyof typeof kinds, values: readonly Value[]) {
    await driver.run(driver.prepare(sql`delete from words`))
    const kind = kinds[name]
    const insert = driver.prepare(
      sql`insert into words (id, ${column(name)}) values (${placeholder('id', 'id')}, ${placeholder('value', kind)})`,
    )
    for (const [index, value] of values.entries()) {
      await driver.run(insert, { id: index + 1, value: driver.dialect.bind(value, kind) })
    }
  }

  /** The ids of the rows for which a condition holds. */
  async function idsWhere(condition: SQL, values: Record<string, unknown> = {}): Promise<number[]> {
    const statement = driver.prepare<{ id: number }>(sql`select id from words where ${condition} order by id`)
    return (await driver.all(statement, values)).map((row) => row.id)
  }

  it('reads on connections that are set up for many short statements', async () => {
    const settings = {
      sqlite: ['pragma mmap_size', String(2 ** 30)],
      postgres: ['show jit', 'off'],
      mysql: ['select @@time_zone', '+00:00'],
    } as const
    const [question, answer] = settings[database.name]
    const [row] = await driver.all(driver.prepare(sql.raw(question)))
    assert.equal(String(Object.values(row ?? {})[0]), answer)
  })

  describe('fold', () => {
    for (const [text, folded] of [
      ['ÄÖÜ Straße', 'äöü straße'],
      ['STRASSE ẞ', 'strasse ß'],
      ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
      ['οδυσσεύς', 'οδυσσεύσ'],
      ['ПРИВЕТ Ёж', 'привет ёж'],
      ['İstanbul IĞDIR', 'i̇stanbul iğdir'],
      ['\u212A \u212B \u2126', 'k å ω'],
      ['Éclair É', 'éclair é'],
      ['Ǆ Ǉ Ǌ', 'ǆ ǉ ǌ'],
      ['ԱՐԱՐԱՏ', 'արարատ'],
      ['ႠႡႢ', 'ⴀⴁⴂ'],
      ['Ａ Ⅷ Ⓐ', 'ａ ⅷ ⓐ'],
      ['𐐀', '𐐨'],
      ["it's 100%_\\", "it's 100%_\\"],
    ] as const) {
      it(`makes ${folded} of ${text}`, async () => {
        assert.equal(await evaluate(driver.dialect.fold(placeholder('text')), { text }), folded)
      })
    }

    it('agrees with Unicode on every letter of the Latin, Greek, Cyrillic, Armenian and Georgian blocks', async () => {
      const ranges = [
        [0x41, 0x24f],
        [0x370, 0x58f],
        [0x1e00, 0x1fff],
      ] as const
      const letters = ranges.flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
      )
      const text = letters.filter((letter) => /\p{L}/u.test(letter)).join(' ')
      const folded = await evaluate(driver.dialect.fold(placeholder('text')), { text })
      assert.equal(folded, text.toLowerCase().replaceAll('ς', 'σ'))
    })

    it('compares a column with what was asked for', async () => {
      await fill('word', ['Äpfel', 'äpfel', 'apfel', 'ÄPFEL '])
      const { fold } = driver.dialect
      const condition = sql`${fold(column('word'))} = ${fold(placeholder('text', 'string'))}`
      assert.deepEqual(await idsWhere(condition, { text: 'ÄPFEL' }), [1, 2])
    })
  })

  describe('parts of texts', () => {
    const words = ['50% off', '50 percent off', 'a_b', 'axb', 'back\\slash', 'Ünder', 'under', '', null]

    for (const [operator, part, ids] of [
      ['contains', '%', [1]],
      ['contains', '_', [3]],
      ['contains', '\\', [5]],
      ['contains', 'nder', [6, 7]],
      ['contains', 'u', [7]],
      ['contains', '', [1, 2, 3, 4, 5, 6, 7, 8]],
      ['startsWith', '50', [1, 2]],
      ['startsWith', 'a_', [3]],
      ['startsWith', 'Ü', [6]],
      ['startsWith', '50% off and more', []],
      ['startsWith', '', [1, 2, 3, 4, 5, 6, 7, 8]],
      ['endsWith', 'off', [1, 2]],
      ['endsWith', '_b', [3]],
      ['endsWith', 'more 50% off', []],
      ['endsWith', '', [1, 2, 3, 4, 5, 6, 7, 8]],
    ] as const) {
      it(`${operator} ${JSON.stringify(part)}`, async () => {
        for (const name of ['word', 'story'] as const) {
          await fill(name, words)
          const condition = driver.dialect[operator](column(name), placeholder('part', kinds[name]))
          assert.deepEqual(await idsWhere(condition, { part }), ids)
        }
      })
    }
  })

  describe('equality', () => {
    it('tells case, accents and trailing spaces apart', async () => {
      for (const name of ['word', 'story'] as const) {
        await fill(name, ['a', 'A', 'á', 'a ', 'a\t'])
        assert.deepEqual(
          await idsWhere(sql`${column(name)} = ${placeholder('text', kinds[name])}`, { text: 'a' }),
          [1],
        )
      }
    })

    it('compares big and decimal numbers by every digit', async () => {
      await fill('big', ['9007199254740993', '9007199254740992'])
      const big = driver.dialect.bind('9007199254740993', 'bigint')
      assert.deepEqual(await idsWhere(sql`${column('big')} = ${placeholder('big', 'bigint')}`, { big }), [1])
      await fill('amount', ['0.1000000000000000000001', '0.1', '0.100'])
      const amount = driver.dialect.bind('0.1', 'decimal')
      const condition = sql`${column('amount')} = ${placeholder('amount', 'decimal')}`
      assert.deepEqual(await idsWhere(condition, { amount }), [2, 3])
    })
  })

  describe('order', () => {
    for (const [name, values] of [
      ['word', [null, '', ' ', 'A', 'B', 'a', 'b', 'ä', 'ｚ', '𐐀', '😀']],
      ['story', [null, '', 'Z', 'a', 'é']],
      [
        'amount',
        [
          null,
          '-12345678901234567890123456789012345',
          -10,
          -9.5,
          '-0.1',
          '-0.01',
          0,
          '0.01',
          0.1,
          9.5,
          10,
          100,
        ],
      ],
      ['big', [null, '-9223372036854775808', -1, 0, '9007199254740992', '9007199254740993']],
      ['rank', [null, -5, 0, 9, 10]],
      ['isOn', [null, false, true]],
      ['day', [null, '0999-12-31', '2025-12-31', '2026-01-01']],
      ['moment', [null, '2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z']],
    ] as const) {
      it(`has nulls of ${name} first and the rest by size or code point`, async () => {
        await fill(name, values)
        const ids = values.map((_, index) => index + 1)
        const sorted = async (direction: 'asc' | 'desc') => {
          const order = driver.dialect.orderBy(column(name), direction, true)
          const rows = await driver.all(
            driver.prepare<{ id: number }>(sql`select id from words order by ${order}`),
          )
          return rows.map((row) => row.id)
        }
        assert.deepEqual(await sorted('asc'), ids)
        assert.deepEqual(await sorted('desc'), ids.toReversed())
      })
    }
  })

  describe('lists', () => {
    const samples: Record<keyof typeof kinds, readonly Value[]> = {
      word: ['a', 'A', 'a "b" \\ {c}, \'d\'', 'ä', '', 'NULL', 'a '],
      story: ['a', 'x'.repeat(2_000)],
      amount: ['0.1', '12345678901234567890.5', -3],
      big: ['9007199254740993', '9007199254740992', 1],
      rank: [1, 2, -3],
      isOn: [true, false],
      day: ['2026-01-01', '1999-12-31'],
      moment: ['2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z'],
    }
    for (const [name, values] of Object.entries(samples) as [keyof typeof kinds, readonly Value[]][]) {
      it(`finds each of several values of ${name}, and none in an empty list`, async () => {
        await fill(name, [...values, null])
        const { dialect } = driver
        const kind = kinds[name]
        const statement = dialect.inList(column(name), 'items', kind)
        const find = (items: readonly Value[]) => idsWhere(statement, { items: dialect.list(items, kind) })
        for (const [index, value] of values.entries()) assert.deepEqual(await find([value]), [index + 1])
        assert.deepEqual(
          await find(values),
          values.map((_, index) => index + 1),
        )
        assert.deepEqual(await find([]), [])
      })
    }

    it('negates', async () => {
      await fill('rank', [1, 2, 3])
      const { dialect } = driver
      const condition = sql`not (${dialect.inList(column('rank'), 'items', 'integer')})`
      assert.deepEqual(await idsWhere(condition, { items: dialect.list([1, 3], 'integer') }), [2])
    })

    it('takes ten thousand ids', async () => {
      await fill('rank', [1, 2])
      const items = driver.dialect.list(
        Array.from({ length: 10_000 }, (_, index) => index + 2),
        'id',
      )
      assert.deepEqual(await idsWhere(driver.dialect.inList(column('id'), 'items', 'id'), { items }), [2])
    })
  })

  describe('joinIds', () => {
    it('joins in order, and is null for none', async () => {
      await fill('rank', [3, 1, 2])
      const joined = driver.dialect.joinIds(column('id'), column('rank'))
      assert.equal(await evaluate(sql`(select ${joined} from words)`), '2,3,1')
      assert.equal(await evaluate(sql`(select ${joined} from words where id > 99)`), null)
    })

    it('joins more than fits into the small buffers of a server', async () => {
      await fill('rank', [])
      await driver.run(driver.prepare(sql`insert into words (${column('rank')}) values (1)`))
      const doubled = sql`insert into words (${column('rank')}) select ${column('rank')} from words`
      for (let count = 1; count < 4_096; count *= 2) await driver.run(driver.prepare(doubled))
      const joined = await evaluate(
        sql`(select ${driver.dialect.joinIds(column('id'), column('id'))} from words)`,
      )
      assert.equal(String(joined).split(',').length, 4_096)
    })
  })

  describe('results', () => {
    it('counts rows that an update finds, also where it changes nothing', async () => {
      await fill('rank', [1, 1, 2])
      const update = driver.prepare(sql`update words set ${column('rank')} = 1 where ${column('rank')} = 1`)
      assert.equal((await driver.run(update)).changes, 2)
      assert.equal((await driver.run(driver.prepare(sql`delete from words where id = 99`))).changes, 0)
    })

    it('answers the first id of an insert of several rows', async () => {
      await fill('rank', [])
      const insert = driver.prepare(sql`insert into words (${column('rank')}) values (1), (2), (3)`)
      const { changes, insertId } = await driver.run(insert)
      assert.equal(changes, 3)
      assert.deepEqual(await idsWhere(sql`1 = 1`), [insertId, insertId + 1, insertId + 2])
    })

    it('does not give the id of a deleted row again', async () => {
      const insert = driver.prepare(sql`insert into words (${column('rank')}) values (1)`)
      const { insertId } = await driver.run(insert)
      await driver.run(driver.prepare(sql`delete from words where id = ${placeholder('id', 'id')}`), {
        id: insertId,
      })
      assert.equal((await driver.run(insert)).insertId, insertId + 1)
    })

    it('counts as a number, and limits by placeholders', async () => {
      await fill('rank', [1, 2, 3])
      const count = driver.prepare<{ count: number }>(sql`select count(*) as count from words`)
      assert.deepEqual(await driver.get(count), { count: 3 })
      const page = driver.prepare<{ id: number }>(
        sql`select id from words order by id limit ${placeholder('limit', 'integer')} offset ${placeholder('offset', 'integer')}`,
      )
      assert.deepEqual(await driver.all(page, { limit: 2, offset: 1 }), [{ id: 2 }, { id: 3 }])
      assert.deepEqual(await driver.all(page, { limit: 0, offset: 0 }), [])
    })

    it('names the placeholder that has no value', async () => {
      const statement = driver.prepare(sql`select id from words where id = ${placeholder('which', 'id')}`)
      await assert.rejects(async () => driver.all(statement, {}), /placeholder which/)
    })

    it('tells how many tables the service has', async () => {
      assert.equal(await driver.tableCount(), 1)
    })
  })
})
