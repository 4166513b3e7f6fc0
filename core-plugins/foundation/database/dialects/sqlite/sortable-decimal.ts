import type Big from 'big.js'
import { exactDecimal, parseDecimal } from '../../decimal.ts'

// SQLite has no exact decimals, so they are stored as text that sorts like the numbers: `1`, the number of digits
// before the point, those digits, and the digits after it. For a negative number the text starts with `0`, every
// digit is replaced by its complement to 9, and it ends in a character that sorts after all digits, because of two
// such numbers with a common beginning the longer one is smaller.
const negativeEnd = '~'

/** @throws DatabaseError if the value is not a decimal, or has too many digits */
export function encodeDecimal(value: unknown): string {
  return encodeBig(parseDecimal(value))
}

/** At most 99 digits before the point. */
export function encodeBig(decimal: Big): string {
  const [before = '', after = ''] = decimal.abs().toFixed().split('.')
  const text = before === '0' ? `00${after}` : `${String(before.length).padStart(2, '0')}${before}${after}`
  return decimal.lt(0) ? `0${complement(text)}${negativeEnd}` : `1${text}`
}

/** A number if that is exact, otherwise all digits. */
export function decodeDecimal(text: string): number | string {
  return exactDecimal(decodedDigits(text))
}

/** All digits of an encoded decimal. */
export function decodedDigits(text: string): string {
  const isNegative = text.startsWith('0')
  const plain = isNegative ? complement(text.slice(1, -1)) : text.slice(1)
  const point = 2 + Number(plain.slice(0, 2))
  const before = plain.slice(2, point) || '0'
  const after = plain.slice(point)
  return `${isNegative ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)))
}
