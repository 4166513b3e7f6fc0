import { type Decimal, exactDecimal, parseDecimal, printDecimal } from '../../number.ts'

// SQLite has no exact decimals, so they are kept as text that sorts as the numbers do: `1` and the count of
// digits before the point, the digits, and the digits after it. A negative number has `0` in front, every digit
// is its complement to 9, and it ends in a character above all digits, as of two that begin alike the longer one
// is the smaller.
const negativeEnd = '~'

/** @throws DatabaseError if the value is no decimal, or has too many digits */
export function encodeDecimal(value: unknown): string {
  return encodeDigits(parseDecimal(value))
}

/** At most 99 digits before the point. */
export function encodeDigits({ isNegative, before, after }: Decimal): string {
  const text = `${String(before.length).padStart(2, '0')}${before}${after}`
  return isNegative ? `0${complement(text)}${negativeEnd}` : `1${text}`
}

/** A number where that is exact, otherwise all digits. */
export function decodeDecimal(text: string): number | string {
  return exactDecimal(decodedDigits(text))
}

/** All digits of an encoded decimal. */
export function decodedDigits(text: string): string {
  return printDecimal(takeApart(text))
}

function takeApart(text: string): Decimal {
  const isNegative = text.startsWith('0')
  const plain = isNegative ? complement(text.slice(1, -1)) : text.slice(1)
  const point = 2 + Number(plain.slice(0, 2))
  return { isNegative, before: plain.slice(2, point), after: plain.slice(point) }
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)))
}
