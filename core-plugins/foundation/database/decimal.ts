import Big from 'big.js'
import { DatabaseError } from './database-error.ts'

/** How many digits a `decimal` may have before and after the point, on every database. */
export const decimalDigits = { before: 35, after: 30 } as const

/** A double keeps this many significant digits of a decimal. */
const exactDigits = 15

/**
 * A number if its text form has exactly these digits, otherwise the digits without redundant zeros. Longer digits
 * that a double prints the same way cannot be told from rounded ones, so they must not be sent as numbers.
 */
export function exactDecimal(digits: string): number | string {
  const canonical = digits.includes('.') ? trimZeros(digits) : digits
  const value = Number(canonical)
  return String(value) === canonical && !mayBeRounded(value) ? value : canonical
}

/** Whether the number may be the rounded form of another one with more digits than a double keeps. */
export function mayBeRounded(value: number): boolean {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false
  const [significant = ''] = value.toExponential().split('e')
  return significant.replace(/[-.]/g, '').length > exactDigits
}

/** A number from JSON, in the form that answers show. */
export function shownDecimal(value: number): number | string {
  return mayBeRounded(value) ? exactDecimal(String(value)) : value
}

// Called for many values when rows are read: trimming the text costs a fraction of parsing it.
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

/** Whether the databases can store all digits of the number. */
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
