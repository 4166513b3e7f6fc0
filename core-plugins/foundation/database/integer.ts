import { DatabaseError } from './database-error.ts'

const minBigint = -(2n ** 63n)
const maxBigint = 2n ** 63n - 1n

/** A number if a double holds it exactly, otherwise all digits as text. */
export function exactInteger(digits: string): number | string {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : digits
}

/** Returns the digits of an integer of at most 64 bits. @throws DatabaseError */
export function integerDigits(value: unknown): string {
  const text = typeof value === 'number' ? plainDigits(value) : String(value)
  if (!/^[+-]?\d{1,20}$/.test(text)) throw notFitting(value)
  const integer = BigInt(text)
  if (integer < minBigint || integer > maxBigint) throw notFitting(value)
  return String(integer)
}

function plainDigits(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value)
}

function notFitting(value: unknown): DatabaseError {
  return new DatabaseError(
    'other',
    `${JSON.stringify(String(value))} is not a whole number of at most 64 bits`,
  )
}
