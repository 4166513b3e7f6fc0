import Big from 'big.js'
import { DatabaseError } from './database-error.ts'

/** How many digits a `decimal` may have before and after the point, on every database. */
export const decimalDigits = { before: 35, after: 30 } as const

/** A double keeps this many significant digits of a decimal. */
const exactDigits = 15

/**
 * A number if it stands for these digits alone, otherwise the digits without redundant zeros. Others that a double prints
 * the same might as well have been rounded to them, so that nobody may send them as numbers.
 */
export function exactDecimal(digits: string): number | string {
  const canonical = digits.includes('.') ? trimZeros(digits) : digits
  const value = Number(canonical)
  return String(value) === canonical && !mayBeRounded(value) ? value : canonical
}

/** Whether JSON readers may have made a number of another one, which had more digits than a double keeps. */
export function mayBeRounded(value: number): boolean {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false
  const [significant = ''] = value.toExponential().split('e')
  return significant.replace(/[-.]/g, '').length > exactDigits
}

/** A number in JSON as answers show it. */
export function shownDecimal(value: number): number | string {
  return mayBeRounded(value) ? exactDecimal(String(value)) : value
}

// Called for many values at a time when reading rows: working on the text alone costs a fraction of parsing
// it.
function trimZeros(digits: string): string {
  const trimmed = digits.replace(/\.?0+$/, '')
  return trimmed === '-0' ? '0' : trimmed
}

/** @throws DatabaseError if the value is not a decimal, or has more digits than the databases store */
export function parseDecimal(value: unknown): Big {
  const decimal = bigOf(value)
  if (decimal === undefined) throw notFitting(value, 'a decimal number')
  if (!fitsDecimal(decimal)) {
    const { before, after } = decimalDigits
    throw notFitting(value, `a decimal of at most ${before} digits before and ${after} after the point`)
  }
  return decimal
}

/** Whether the databases store all digits of the number. */
export function fitsDecimal({ c: digits, e: exponent }: Big): boolean {
  return exponent < decimalDigits.before && digits.length - 1 - exponent <= decimalDigits.after
}

/**
 * Returns the canonical form of a decimal: no plus, no exponent, no redundant zeros. @throws DatabaseError
 */
export function decimalText(value: unknown): string {
  return parseDecimal(value).toFixed()
}

function bigOf(value: unknown): Big | undefined {
  try {
    return new Big(String(value).replace(/^\+(?=[.\d])/, ''))
  } catch {
    return undefined
  }
}

function notFitting(value: unknown, what: string): DatabaseError {
  return new DatabaseError('other', `${JSON.stringify(String(value))} is not ${what}`)
}
