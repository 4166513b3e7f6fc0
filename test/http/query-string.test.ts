import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { AppError } from '../../core-plugins/foundation/http/answers/app-error.ts'
import {
  parseQueryString,
  type QueryValue,
  type QueryValues,
} from '../../core-plugins/foundation/http/requests/query-string.ts'
import { textValidator } from '../../core-plugins/foundation/http/validation.ts'

/** As plain objects, so that they can be compared with literals. */
function read(text: string): unknown {
  return JSON.parse(JSON.stringify(parseQueryString(text)))
}

describe('a query string', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['&&a=1&', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1+2%2B3', { a: '1 2+3' }],
    ['q=%C3%A9%E2%82%AC', { q: 'é€' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[1]=y&a[0]=x', { a: ['x', 'y'] }],
    ['a[7]=y', { a: ['y'] }],
    ['a[1000]=y', { a: { 1000: 'y' } }],
    ['filters[title][$eq]=x', { filters: { title: { $eq: 'x' } } }],
    ['filters%5Btitle%5D%5B%24in%5D%5B0%5D=x', { filters: { title: { $in: ['x'] } } }],
    ['f[$or][0][a]=1&f[$or][1][b]=2', { f: { $or: [{ a: '1' }, { b: '2' }] } }],
    ['f[$or][][a]=1&f[$or][][a]=2', { f: { $or: [{ a: '1' }, { a: '2' }] } }],
    ['a[x]=1&a[0]=2', { a: { 0: '2', x: '1' } }],
    ['constructor=1&a[toString]=2', { constructor: '1', a: { toString: '2' } }],
  ]
  for (const [text, expected] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(read(text), expected))
  }

  const refused = {
    'broken percent-encoding': 'a=%',
    'bytes that are not UTF-8': 'a=%ff%fe',
    'an overlong encoding': 'a=%c0%af',
    'a NUL character': 'a=%00',
    'a character that must be encoded': 'a=é',
    'a space': 'a=b c',
    'an open bracket': 'a[b=1',
    'a stray bracket': 'a]=1',
    'text behind brackets': 'a[b]c=1',
    'no name': '=1',
    'a name of brackets only': '[a]=1',
    'a value and keys below it': 'a=1&a[b]=2',
    'keys and a value above them': 'a[b]=2&a=1',
    'a prototype': 'a[__proto__][x]=1',
    'a prototype at the top': '__proto__[x]=1',
    'an encoded prototype': 'a[%5f%5fproto%5f%5f]=1',
    'too many levels': `a${'[b]'.repeat(20)}=1`,
    'too many parameters': 'a=1&'.repeat(1001),
    'too many characters': `a=${'x'.repeat(20_000)}`,
  }
  for (const [what, text] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => parseQueryString(text),
        (error) => {
          assert.ok(error instanceof AppError)
          assert.equal(error.status, 400)
          assert.equal(error.code, 'VALIDATION_ERROR')
          return true
        },
      )
    })
  }

  it('never makes an object with a prototype', () => {
    const query = parseQueryString('a[b]=1')
    assert.equal(Object.getPrototypeOf(query), null)
    assert.equal(Object.getPrototypeOf(query.a), null)
  })

  it('answers something or refuses it, whatever it is sent', () => {
    const pieces = fc.constantFrom(
      'a',
      'b',
      '[',
      ']',
      '[]',
      '=',
      '&',
      '%',
      '%5B',
      '%00',
      '+',
      '__proto__',
      '$eq',
      '9',
    )
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const query = parseQueryString(text)
          assert.equal(Object.getPrototypeOf(query), null)
        } catch (error) {
          assert.ok(error instanceof AppError, String(error))
        }
        assert.equal(({} as Record<string, unknown>).x, undefined)
      }),
      { numRuns: 2000 },
    )
  })

  it('gives back what was written', () => {
    fc.assert(
      fc.property(queries, (query) => assert.deepEqual(parseQueryString(write(query)), query)),
      { numRuns: 500 },
    )
  })
})

/** Neither digits, which would make arrays, nor what is refused. */
const names = fc
  .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
  .filter((name) => !/[[\]\0]|^\d+$/.test(name) && name !== '__proto__')

const texts = fc.string({ maxLength: 12, unit: 'grapheme' }).filter((text) => !text.includes('\0'))

const values = fc.letrec<{ value: QueryValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    fc
      .dictionary(names, tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: false })
      .map(withoutPrototype),
  ),
}))

const queries = fc.dictionary(names, values.value, { maxKeys: 4 }).map(withoutPrototype)

function withoutPrototype(object: Record<string, QueryValue>): QueryValues {
  return Object.assign(Object.create(null), object)
}

function write(query: QueryValues): string {
  return Object.entries(query)
    .flatMap(([name, value]) => pairsOf(name, value))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

function pairsOf(name: string, value: QueryValue): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  return Object.entries(value).flatMap(([key, item]) => pairsOf(`${name}[${key}]`, item as QueryValue))
}

describe('a number in a query', () => {
  const validate = textValidator(Type.Object({ offset: Type.Optional(Type.Integer({ minimum: 0 })) }))

  it('is a number, and nothing that only becomes one', () => {
    assert.deepEqual(validate({ offset: '7' }), [])
    for (const offset of ['Infinity', '1e3', '0x10', ' 7', '', ['Infinity'], ['7'], ['1', '2'], { a: '7' }]) {
      assert.equal(validate({ offset }).length, 1, JSON.stringify(offset))
    }
  })
})
