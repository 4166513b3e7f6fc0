import Big from 'big.js'
import { decimalDigits, exactDecimal } from '../../foundation/database/database.ts'

/** A number if it is exact, otherwise its digits as a string. */
type Exact = number | string

/** With enough digits to find the double nearest to a quotient. */
const Dividend = Big()
Dividend.DP = 60

/** The exact sum of numbers. */
export function sumOf(parts: readonly Exact[]): Exact {
  return exactDecimal(totalOf(parts).toFixed())
}

/** The average of numbers: exact if its digits fit into a decimal, otherwise the nearest double. */
export function averageOf(parts: readonly Exact[], count: number): Exact {
  const total = totalOf(parts)
  const average = total.div(count)
  const isExact = average.times(count).eq(total) && average.eq(average.round(decimalDigits.after))
  return isExact ? exactDecimal(average.toFixed()) : Number(average.toFixed())
}

function totalOf(parts: readonly Exact[]): Big {
  return parts.reduce((total: Big, part) => total.plus(part), new Dividend(0))
}
