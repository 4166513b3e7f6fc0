import type BetterSqlite from 'better-sqlite3'
import Big from 'big.js'
import { decimalDigits } from '../../decimal.ts'
import { decodedDigits, encodeBig } from './sortable-decimal.ts'

// SQLite computes in 64 bits and in doubles. These functions compute in integer multiples of the smallest decimal,
// and return decimals in their stored, sortable form. They add bigints, since a sum takes one step per row and big.js
// would take several times as long.
const places = decimalDigits.after
const unit = 10n ** BigInt(places)

/** The SQL functions behind `sum` and `quotient` of the dialect. */
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
  return encodeBig(new Big(`${units}e-${places}`))
}

/** Rounds halves away from zero, like the other databases. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const doubled = dividend * 2n
  return (doubled + (dividend < 0n ? -divisor : divisor)) / (divisor * 2n)
}
