import Big from 'big.js'
import { decimalDigits, exactDecimal } from '../../foundation/database/database.ts'

/** A number if it is exact, otherwise its digits as a string. */
type Exact = number | string

/** With enough places to find the nearest double of a quotient. */
const Dividend = Big()
Dividend.DP = 60

/** The exact sum of numbers. */
export function sumOf(parts: readonly Exact[]): Exact {
  return exactDecimal(totalOf(parts).toFixed())
}

/**
 * The average of numbers: exact if it has no more digits than a decimal can hold, otherwise the nearest
 * double.
 */
export function averageOf(parts: readonly Exact[], count: number): Exact {
  const total = totalOf(parts)
  const average = total.div(count)
  const isExact = average.times(count).eq(total) && average.eq(average.round(decimalDigits.after))
  return isExact ? exactDecimal(average.toFixed()) : Number(average.toFixed())
}

function totalOf(parts: readonly Exact[]): Big {
  return parts.reduce((total: Big, part) => total.plus(part), new Dividend(0))
}
