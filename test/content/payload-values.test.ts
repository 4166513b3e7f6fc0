import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import type { AttributeDraft } from './payload-model.ts'
import { checkValue, problemsOf } from './payload-problems.ts'

interface ValueTable {
  readonly draft: AttributeDraft
  /** What is sent, and what it comes to where that differs. */
  readonly accepted: readonly (readonly [unknown, unknown?])[]
  /** What is sent, and the codes of its problems. */
  readonly refused: readonly (readonly [unknown, ...string[]])[]
}

const notANumber = [true, [], {}, '', 'x', '1 ', ' 1', '0x10', '1_000', 'Infinity', 'NaN', '٣']

const tables: Readonly<Record<string, ValueTable>> = {
  string: {
    draft: { type: 'string' },
    accepted: [[''], ['Ærø 日本 🎈'], ['x'.repeat(255)], ['🎈'.repeat(255)], [null]],
    refused: [
      [5, 'type'],
      [true, 'type'],
      [['a'], 'type'],
      [{}, 'type'],
      ['x'.repeat(256), 'maxLength'],
      ['🎈'.repeat(256), 'maxLength'],
      ['a\0b', 'format'],
      ['\ud83c', 'format'],
      ['\udf88\ud83c', 'format'],
    ],
  },
  'string with bounds': {
    draft: { type: 'string', minLength: 2, maxLength: 3 },
    accepted: [['ab'], ['abc'], ['🎈🎈'], ['🎈🎈🎈'], [null]],
    refused: [
      ['', 'minLength'],
      ['a', 'minLength'],
      ['🎈', 'minLength'],
      ['abcd', 'maxLength'],
      ['🎈🎈🎈🎈', 'maxLength'],
      ['x'.repeat(1_000_000), 'maxLength'],
    ],
  },
  text: {
    draft: { type: 'text' },
    accepted: [['x'.repeat(100_000)]],
    refused: [
      [5, 'type'],
      ['\0', 'format'],
    ],
  },
  richtext: { draft: { type: 'richtext' }, accepted: [['<p>x</p>']], refused: [[5, 'type']] },
  email: {
    draft: { type: 'email' },
    accepted: [['ada@example.com'], ["o'neil+news@mail.example.co.uk"], [null]],
    refused: [
      ['', 'format'],
      ['ada', 'format'],
      ['ada@', 'format'],
      ['ada@example', 'format'],
      ['a da@example.com', 'format'],
      ['ada@example.com\n', 'format'],
      [`${'a'.repeat(250)}@example.com`, 'maxLength'],
      [5, 'type'],
    ],
  },
  integer: {
    draft: { type: 'integer' },
    accepted: [[0], [-0, 0], [5.0], [2 ** 53 - 1], [-(2 ** 53 - 1)], [null]],
    refused: [
      [1.5, 'type'],
      [2 ** 53, 'type'],
      [Number.POSITIVE_INFINITY, 'type'],
      ['5', 'type'],
      [true, 'type'],
    ],
  },
  'integer with bounds': {
    draft: { type: 'integer', min: -1, max: 10 },
    accepted: [[-1], [10]],
    refused: [
      [-2, 'min'],
      [11, 'max'],
    ],
  },
  bigint: {
    draft: { type: 'bigint' },
    accepted: [
      [5],
      [-0, 0],
      ['5', 5],
      ['-0', 0],
      ['007', 7],
      ['9007199254740991', 9007199254740991],
      ['9007199254740992'],
      ['9223372036854775807'],
      ['-9223372036854775808'],
    ],
    refused: [
      [2 ** 53, 'type'],
      [1.5, 'type'],
      [1e30, 'type'],
      ['9223372036854775808', 'max'],
      ['-9223372036854775809', 'min'],
      ['9'.repeat(40), 'max'],
      ['9'.repeat(1000), 'type'],
      ['1.0', 'type'],
      ['1e3', 'type'],
      ...notANumber.map((value) => [value, 'type'] as const),
    ],
  },
  'bigint with bounds': {
    draft: { type: 'bigint', min: -5, max: '9223372036854775000' },
    accepted: [[-5], ['9223372036854775000']],
    refused: [
      [-6, 'min'],
      ['-6', 'min'],
      ['9223372036854775001', 'max'],
    ],
  },
  decimal: {
    draft: { type: 'decimal' },
    accepted: [
      [0],
      [-0, 0],
      [1.5],
      [0.1],
      [1e-7, '0.0000001'],
      [1e21, '1000000000000000000000'],
      [12345678901234.5],
      ['9007199254740992'],
      ['100000000000000000000', 1e20],
      ['1.50', 1.5],
      ['-0.000', 0],
      ['00012', 12],
      ['1e3', 1000],
      ['15e-1', 1.5],
      ['1E-30', '0.000000000000000000000000000001'],
      ['123456789012345678901234567890.123456789012345678901234567891'],
      [`${'9'.repeat(35)}.${'9'.repeat(30)}`],
    ],
    refused: [
      [`1${'0'.repeat(35)}`, 'format'],
      [`0.${'0'.repeat(30)}1`, 'format'],
      [1e35, 'format'],
      [1e-31, 'format'],
      ['1e999', 'format'],
      ['9'.repeat(101), 'type'],
      [Number('12345678901234567890'), 'type'],
      [Number.NaN, 'type'],
      [Number.POSITIVE_INFINITY, 'type'],
      ['1,5', 'type'],
      ['.5', 'type'],
      ['1.', 'type'],
      ['+1', 'type'],
      ['--1', 'type'],
      ...notANumber.map((value) => [value, 'type'] as const),
    ],
  },
  'decimal with bounds': {
    draft: { type: 'decimal', min: 0.1, max: 100 },
    accepted: [[0.1], ['0.10', 0.1], [100], ['100.000', 100]],
    refused: [
      [0.09, 'min'],
      ['0.099999999999999999999999999999', 'min'],
      [100.5, 'max'],
      ['100.000000000000000000000000000001', 'max'],
      [-1e20, 'min'],
    ],
  },
  'decimal with bounds beyond doubles': {
    draft: { type: 'decimal', min: '-0.000000000000000000000000000001', max: '12345678901234567890.1' },
    accepted: [[0], ['-0.000000000000000000000000000001'], ['12345678901234567890.1']],
    refused: [
      [-1, 'min'],
      ['12345678901234567890.11', 'max'],
    ],
  },
  boolean: {
    draft: { type: 'boolean' },
    accepted: [[true], [false], [null]],
    refused: [0, 1, 'true', '', [], {}].map((value) => [value, 'type'] as const),
  },
  date: {
    draft: { type: 'date' },
    accepted: [['2026-01-31'], ['2024-02-29'], ['2000-02-29'], ['0001-01-01'], ['9999-12-31']],
    refused: [
      ['2026-02-29', 'format'],
      ['1900-02-29', 'format'],
      ['2026-04-31', 'format'],
      ['2026-13-01', 'format'],
      ['2026-00-01', 'format'],
      ['2026-01-00', 'format'],
      ['0000-01-01', 'format'],
      ['26-01-01', 'format'],
      ['2026-1-1', 'format'],
      ['2026-01-31T00:00:00Z', 'format'],
      ['2026-01-31\n', 'format'],
      ['', 'format'],
      [20260131, 'type'],
    ],
  },
  datetime: {
    draft: { type: 'datetime' },
    accepted: [
      ['2026-01-31T08:00:00.000Z'],
      ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000Z'],
      ['2026-01-31T08:00Z', '2026-01-31T08:00:00.000Z'],
      ['2026-01-31T08:00:00.1Z', '2026-01-31T08:00:00.100Z'],
      ['2026-01-31T08:00:00.123999999Z', '2026-01-31T08:00:00.123Z'],
      ['2026-01-31T01:30:00+02:00', '2026-01-30T23:30:00.000Z'],
      ['2026-12-31T23:30:00-0100', '2027-01-01T00:30:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['0050-06-01T12:00:00Z', '0050-06-01T12:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z'],
    ],
    refused: [
      ['2026-01-31T08:00:00', 'format'],
      ['2026-01-31', 'format'],
      ['2026-01-31 08:00:00Z', 'format'],
      ['2026-02-30T08:00:00Z', 'format'],
      ['2026-01-31T24:00:00Z', 'format'],
      ['2026-01-31T08:60:00Z', 'format'],
      ['2026-01-31T08:00:60Z', 'format'],
      ['2026-01-31T08:00:00+24:00', 'format'],
      ['2026-01-31T08:00:00+01:60', 'format'],
      ['0001-01-01T00:00:00+01:00', 'format'],
      ['9999-12-31T23:59:59-01:00', 'format'],
      ['+02026-01-31T08:00:00Z', 'format'],
      ['now', 'format'],
      ['x'.repeat(100_000), 'format'],
      [1769846400000, 'type'],
    ],
  },
  json: {
    draft: { type: 'json' },
    accepted: [
      [0],
      [''],
      [false],
      [null],
      [[1, { a: null }]],
      [JSON.parse('{"__proto__":{"a":1}}')],
      [nested(30)],
    ],
    refused: [
      [nested(31), 'depth'],
      [nested(5000), 'depth'],
      [{ a: ['x\0'] }, 'format'],
      [{ 'a\0': 1 }, 'format'],
      [['\ud83c'], 'format'],
      [JSON.parse('[1e999]'), 'type'],
      [{ ['k'.repeat(10_001)]: 1 }, 'format'],
    ],
  },
  enum: {
    draft: { type: 'enum', values: ['red', 'green'] },
    accepted: [['red'], ['green'], [null]],
    refused: [
      ['blue', 'enum'],
      ['Red', 'enum'],
      ['', 'enum'],
      [0, 'enum'],
      [['red'], 'enum'],
    ],
  },
  'one media': {
    draft: { type: 'media' },
    accepted: [[7], [null]],
    refused: [
      ...[0, -1, 1.5, '7', true, 2 ** 53, {}, { id: 7 }, []].map((value) => [value, 'type'] as const),
    ],
  },
  'one relation': {
    draft: { type: 'relation', relation: 'manyToOne', target: 'author' },
    accepted: [[7], [null]],
    refused: [...[0, -1, '7', { id: 7 }, [7]].map((value) => [value, 'type'] as const)],
  },
  'several media': {
    draft: { type: 'media', multiple: true },
    accepted: [
      [[]],
      [[3, 1, 2]],
      [
        [3, 1, 3],
        [3, 1],
      ],
      [null, []],
    ],
    refused: [
      [7, 'type'],
      [{ 0: 7 }, 'type'],
      [['x'], 'type'],
      [[1, 0, null], 'type', 'type'],
    ],
  },
  'several relations': {
    draft: { type: 'relation', relation: 'manyToMany', target: 'tag' },
    accepted: [[[]], [[3, 1, 2]], [[5, 5, 5], [5]], [null, []]],
    refused: [
      [7, 'type'],
      [[{ id: 1 }], 'type'],
    ],
  },
  'an inverse side': {
    draft: { type: 'relation', relation: 'oneToMany', target: 'book', mappedBy: 'author' },
    accepted: [],
    refused: [
      [[1], 'readOnly'],
      [null, 'readOnly'],
    ],
  },
}

describe('the value of an attribute', () => {
  for (const [title, { draft, accepted, refused }] of Object.entries(tables)) {
    it(`is checked: ${title}`, () => {
      for (const [sent, expected = sent] of accepted) {
        assert.deepEqual(checkValue(draft, sent), expected, `of ${show(sent)}`)
      }
      for (const [sent, ...codes] of refused) {
        const found = problemsOf(() => checkValue(draft, sent))
        assert.deepEqual(
          found.map((problem) => problem.split(' ').pop()),
          codes,
          `of ${show(sent)}`,
        )
      }
    })
  }

  it('names the owning side where an inverse one is sent', () => {
    const draft = { type: 'relation', relation: 'oneToMany', target: 'book', mappedBy: 'author' } as const
    assert.throws(() => checkValue(draft, [1]), /"author" of book/)
  })
})

function nested(depth: number): unknown {
  let value: unknown[] = []
  for (let level = 1; level < depth; level++) value = [value]
  return value
}

function show(value: unknown): string {
  return inspect(value, { depth: 2 }).slice(0, 80)
}
