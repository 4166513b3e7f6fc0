import { DatabaseError } from './database-error.ts'

/** Digits that a `decimal` may have before and after the point, on every database. */
export const decimalDigits = { before: 35, after: 30 } as const

const minBigint = -(2n ** 63n)
const maxBigint = 2n ** 63n - 1n

/** A number where a double holds it exactly, otherwise all digits. */
export function exactInteger(digits: string): number | string {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : digits
}

/** A number where a double prints as the same digits, otherwise the digits without useless zeros. */
export function exactDecimal(digits: string): number | string {
  const canonical = digits.includes('.') ? trimZeros(digits) : digits
  const value = Number(canonical)
  return String(value) === canonical ? value : canonical
}

function trimZeros(digits: string): string {
  const trimmed = digits.replace(/\.?0+$/, '')
  return trimmed === '-0' ? '0' : trimmed
}

/** The digits of a whole number of at most 64 bits. @throws DatabaseError */
export function integerDigits(value: unknown): string {
  const text = typeof value === 'number' ? plainDigits(value) : String(value)
  if (!/^[+-]?\d{1,20}$/.test(text)) throw notFitting(value, 'a whole number of at most 64 bits')
  const integer = BigInt(text)
  if (integer < minBigint || integer > maxBigint) throw notFitting(value, 'a whole number of at most 64 bits')
  return String(integer)
}

/** A decimal as sign, digits before and digits after the point, without useless zeros. */
export interface Decimal {
  readonly isNegative: boolean
  readonly before: string
  readonly after: string
}

const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i

/** Takes a decimal apart. @throws DatabaseError if it is none, or has more digits than the databases keep */
export function parseDecimal(value: unknown): Decimal {
  const [, sign, before = '', after = '', exponent = '0'] = decimalPattern.exec(String(value)) ?? []
  if (sign === undefined || before + after === '') throw notFitting(value, 'a decimal number')
  const decimal = shiftPoint(before, after, Number(exponent))
  if (decimal.before.length > decimalDigits.before || decimal.after.length > decimalDigits.after) {
    const { before: most, after: least } = decimalDigits
    throw notFitting(value, `a decimal of at most ${most} digits before and ${least} after the point`)
  }
  return { ...decimal, isNegative: sign === '-' && decimal.before + decimal.after !== '' }
}

/** The one way in which a decimal is written: no plus, no exponent, no useless zeros. @throws DatabaseError */
export function decimalText(value: unknown): string {
  return printDecimal(parseDecimal(value))
}

export function printDecimal({ isNegative, before, after }: Decimal): string {
  return `${isNegative ? '-' : ''}${before || '0'}${after === '' ? '' : `.${after}`}`
}

function shiftPoint(before: string, after: string, places: number) {
  const digits = before + after
  const point = before.length + places
  const padded = digits.padStart(digits.length - Math.min(point, 0), '0').padEnd(point, '0')
  const cut = Math.max(point, 0)
  return {
    before: padded.slice(0, cut).replace(/^0+/, ''),
    after: padded.slice(cut).replace(/0+$/, ''),
  }
}

function plainDigits(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value)
}

function notFitting(value: unknown, what: string): DatabaseError {
  return new DatabaseError('other', `${JSON.stringify(String(value))} is not ${what}`)
}
