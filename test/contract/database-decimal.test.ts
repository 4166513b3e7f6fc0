import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decimalText, exactDecimal } from '../../core-plugins/foundation/database/decimal.ts'
import {
  decodeDecimal,
  decodedDigits,
  encodeDecimal,
} from '../../core-plugins/foundation/database/dialects/sqlite/sortable-decimal.ts'
import { exactInteger, integerDigits } from '../../core-plugins/foundation/database/integer.ts'

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^\\d{0,${maxLength}}$`))

/** Decimals as people write them: with signs, useless zeros and without digits on one side. */
const decimals = fc
  .tuple(fc.constantFrom('', '-', '+'), digits(35), digits(30), fc.boolean())
  .map(([sign, before, after, hasPoint]) => `${sign}${before || '0'}${hasPoint ? `.${after}` : ''}`)

/** The value as a whole number of units of the last digit that is kept. */
function scaled(text: string): bigint {
  const [before = '0', after = ''] = text.replace(/^[+-]/, '').split('.')
  const size = BigInt(before + after.padEnd(30, '0'))
  return text.startsWith('-') ? -size : size
}

const sign = (difference: bigint) => (difference === 0n ? 0 : difference < 0n ? -1 : 1)

const compareText = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right))

describe('decimals of SQLite', () => {
  it('sort as text the way the numbers do', () => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        const order = compareText(encodeDecimal(left), encodeDecimal(right))
        assert.equal(order, sign(scaled(left) - scaled(right)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('sort neighbours, which differ in their last digit', () => {
    const neighbours = fc.tuple(decimals, fc.bigInt(-20n, 20n))
    fc.assert(
      fc.property(neighbours, ([text, difference]) => {
        const next = scaled(text) + difference
        if (next <= -(10n ** 65n) || next >= 10n ** 65n) return
        const order = compareText(encodeDecimal(text), encodeDecimal(unscaled(next)))
        assert.equal(order, sign(scaled(text) - next))
      }),
      { numRuns: 2_000 },
    )
  })

  it('come back with every digit', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const encoded = encodeDecimal(text)
        assert.equal(decodedDigits(encoded), decimalText(text))
        assert.equal(scaled(decodedDigits(encoded)), scaled(text))
        assert.equal(scaled(decimalText(decodeDecimal(encoded))), scaled(text))
      }),
    )
  })
})

function unscaled(units: bigint): string {
  const text = (units < 0n ? -units : units).toString().padStart(31, '0')
  return `${units < 0n ? '-' : ''}${text.slice(0, -30)}.${text.slice(-30)}`
}

describe('numbers', () => {
  it('are numbers where a double holds them, and digits otherwise', () => {
    assert.deepEqual(
      ['1.50', '0.10', '-0.0', '100', '1e3'].map(decimalText).map(exactDecimal),
      [1.5, 0.1, 0, 100, 1000],
    )
    assert.equal(exactDecimal('0.1000000000000000055511151231257827'), '0.1000000000000000055511151231257827')
    assert.equal(exactDecimal('123456789012345678901'), '123456789012345678901')
    // A number may be these digits only if no others are rounded to it.
    for (const digits of ['9007199254740992', '-9007199254740992', '123456789012345680000']) {
      assert.equal(exactDecimal(digits), digits)
    }
    assert.equal(exactDecimal('9007199254740991'), 9007199254740991)
    assert.equal(exactDecimal('100000000000000000000'), 100000000000000000000)
    assert.equal(exactInteger('9007199254740991'), 9007199254740991)
    assert.equal(exactInteger('9007199254740992'), '9007199254740992')
  })

  it('take every double as the digits that it prints as', () => {
    const small = fc
      .double({ min: -1e20, max: 1e20, noNaN: true })
      .filter((value) => Math.abs(value) > 1e-12 || value === 0)
    fc.assert(
      fc.property(small, (value) => {
        assert.equal(Number(decimalText(value)), value === 0 ? 0 : value)
      }),
    )
  })

  for (const value of [
    '',
    '.',
    '-',
    'x',
    '1,5',
    '0x10',
    '1e',
    'NaN',
    'Infinity',
    '1'.repeat(36),
    `0.${'0'.repeat(30)}1`,
    '1e35',
    '1e9999',
    null,
    {},
  ]) {
    it(`refuses ${JSON.stringify(value)} as a decimal`, () => {
      assert.throws(() => decimalText(value), { name: 'DatabaseError' })
    })
  }

  for (const value of [
    '',
    '1.5',
    'x',
    '9223372036854775808',
    '-9223372036854775809',
    1e20,
    1.5,
    '1'.repeat(10_000),
  ]) {
    it(`refuses ${String(value).slice(0, 30)} as a whole number`, () => {
      assert.throws(() => integerDigits(value), { name: 'DatabaseError' })
    })
  }
})
