import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FittedColumn, fitTables } from '../../core-plugins/administration/backups/restore/fit.ts'
import { rowCheck, rowReader } from '../../core-plugins/administration/backups/restore/row-values.ts'
import type { ColumnKind } from '../../core-plugins/foundation/database/database.ts'
import { all, archivedTable, manifestOf, sectionTable } from './table-specs.ts'

const column = (name: string, kind: ColumnKind, more: Partial<FittedColumn> = {}): FittedColumn => ({
  ...{ name, kind, length: 5, nullable: false, from: 0, default: null },
  ...more,
})

/** The check of rows of these columns, in their order. */
function checkOf(columns: readonly FittedColumn[]) {
  const archived = archivedTable('things', columns)
  const check = rowCheck({ archived, label: 'thing', columns })
  return (...values: unknown[]) => check(JSON.stringify(values))
}

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [null, nested(depth - 1)])

describe('a value of an archive', () => {
  for (const [kind, taken, refused] of [
    ['id', [1, -5, Number.MAX_SAFE_INTEGER], [1.5, '1', 2 ** 53, true, null]],
    ['reference', [7], ['7', {}]],
    ['integer', [0, -1], ['0', 0.5, [1]]],
    ['bigint', [12, '9223372036854775807', '-1'], ['', 'x', '1e5', '1.', ' 1', '1\n', true, '9'.repeat(41)]],
    [
      'decimal',
      [1.5, '1.5', '-0.0001', '9'.repeat(40)],
      ['.5', '1.5.5', `0.${'1'.repeat(41)}`, 'x1', '1x', []],
    ],
    ['boolean', [true, false], [1, 'true', null]],
    ['string', ['', 'x', '\n'], ['a\0b', 1, {}, null]],
    ['text', ['longer than five'], ['\0', 1, ['x']]],
    ['date', ['2026-01-31'], ['2026-1-31', '2026-01-31T00:00', 'x2026-01-31', '12026-01-31', 20260131]],
    [
      'datetime',
      ['2026-01-31T08:00:00.000Z'],
      ['2026-01-31', '2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000Z ', 'x2026-01-31T08:00:00.000Z', 0],
    ],
    ['json', [{ a: [null] }, 'x', 1, [], nested(500)], [nested(501), { a: nested(500) }]],
  ] as const) {
    it(`of a column of kind ${kind} is one, or the archive is refused`, () => {
      const check = checkOf([column('value', kind)])
      for (const value of taken) assert.equal(check(value), undefined, JSON.stringify(value))
      for (const value of refused) {
        assert.throws(() => check(value), {
          message: `holds a value for thing.value that is not of type ${kind}`,
        })
      }
    })
  }

  it('may be null where the column may be, and where its default takes the place', () => {
    assert.equal(checkOf([column('value', 'integer', { nullable: true })])(null), undefined)
    assert.equal(checkOf([column('value', 'integer', { default: 7 })])(null), undefined)
    assert.throws(() => checkOf([column('value', 'json')])(null), /thing.value that is not of type json/)
  })

  it('has no more characters than its column, counted as people do', () => {
    const check = checkOf([column('value', 'string')])
    for (const text of ['abcde', '🦉🦉🦉🦉🦉', '🦉bcde']) assert.equal(check(text), undefined, text)
    for (const text of ['abcdef', '🦉🦉🦉🦉🦉🦉', '🦉bcdef', 'x'.repeat(11)]) {
      assert.deepEqual(check(text), { path: 'thing.value', length: 5 }, text)
    }
  })

  it('is told of as too long once a row, the first column first, when the others are sound', () => {
    const check = checkOf([
      column('title', 'string'),
      column('name', 'string', { from: 1, length: 3 }),
      column('rank', 'integer', { from: 2 }),
    ])
    assert.deepEqual(check('abcdef', 'abcd', 1), { path: 'thing.title', length: 5 })
    assert.deepEqual(check('abcde', 'abcd', 1), { path: 'thing.name', length: 3 })
    assert.throws(() => check('abcdef', 'abcd', 'x'), /thing.rank that is not of type integer/)
  })
})

describe('a row of an archive', () => {
  it('is read in the order of the columns here, with defaults for what it does not have', () => {
    const archived = archivedTable('things', [column('rank', 'integer'), column('title', 'string')])
    const running = sectionTable('things', {
      columns: [
        { name: 'title', kind: 'string' },
        { name: 'state', kind: 'string', default: 'new' },
        { name: 'rank', kind: 'integer', default: 3 },
        { name: 'note', kind: 'text', nullable: true },
      ],
      primaryKey: ['title'],
    })
    const [fit] = fitTables(manifestOf(archived), [running], all).tables
    assert.ok(fit)
    const read = rowReader(fit)
    assert.deepEqual(read('[1,"a"]'), ['a', 'new', 1, null])
    assert.deepEqual(read('[null,"b"]'), ['b', 'new', 3, null])
    assert.throws(() => read('[1]'), /holds a row of things that is not valid/)
  })
})
