import type BetterSqlite from 'better-sqlite3'
import { decimalDigits } from '../../number.ts'
import { decodedDigits, encodeDigits } from './sortable-decimal.ts'

// SQLite counts in 64 bits and in doubles. These functions count in whole multiples of the smallest decimal, and
// answer decimals as they are stored, which sort as the numbers do.
const places = decimalDigits.after
const unit = 10n ** BigInt(places)

/** What `sum` and `quotient` of the dialect are made of. */
export function addArithmetic(native: BetterSqlite.Database): void {
  native.aggregate<bigint | null>('decimal_sum', {
    deterministic: true,
    start: null,
    step: (total, value) => (typeof value === 'string' ? (total ?? 0n) + unitsOf(value) : total),
    result: (total) => (total === null ? null : encodeUnits(total)),
  })
  const options = { deterministic: true, safeIntegers: true }
  native.function('sum_of_halves', options, (high: unknown, low: unknown) =>
    typeof high === 'bigint' && typeof low === 'bigint' ? encodeUnits(((high << 32n) + low) * unit) : null,
  )
  native.function('decimal_quotient', options, (sum: unknown, count: unknown) =>
    typeof sum === 'string' && typeof count === 'bigint' && count > 0n
      ? encodeUnits(roundedQuotient(unitsOf(sum), count))
      : null,
  )
}

function unitsOf(encoded: string): bigint {
  const [whole = '', fraction = ''] = decodedDigits(encoded).split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

function encodeUnits(units: bigint): string {
  const isNegative = units < 0n
  const digits = String(isNegative ? -units : units).padStart(places, '0')
  const before = digits.slice(0, -places)
  return encodeDigits({ isNegative, before, after: digits.slice(-places).replace(/0+$/, '') })
}

/** Halves away from zero, as the other databases round. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const doubled = dividend * 2n
  return (doubled + (dividend < 0n ? -divisor : divisor)) / (divisor * 2n)
}
