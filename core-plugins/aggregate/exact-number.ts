/** A number where it is exact, otherwise its digits. */
type Exact = number | string

/** Digits after the point that a decimal may have. */
const decimalPlaces = 30
/** Enough to find the nearest double, whatever the number of digits before the point. */
const workingPlaces = 60

/** What numbers of at most 30 digits after the point add up to, with all digits. */
export function sumOf(parts: readonly Exact[]): Exact {
  return exact(digitsOf(unitsOf(parts)))
}

/**
 * What numbers add up to, divided: with all digits where it has no more than a decimal may have, otherwise the nearest
 * double.
 */
export function averageOf(parts: readonly Exact[], count: number): Exact {
  const dividend = unitsOf(parts)
  const digits = digitsOf(dividend / BigInt(count))
  const isWhole = dividend % BigInt(count) === 0n && (digits.split('.')[1] ?? '').length <= decimalPlaces
  return isWhole ? exact(digits) : Number(digits)
}

/** The sum as a multiple of the smallest working place. */
function unitsOf(parts: readonly Exact[]): bigint {
  return parts.map(unitsIn).reduce((sum, units) => sum + units, 0n)
}

function unitsIn(value: Exact): bigint {
  const [whole = '', fraction = ''] = plainDigits(value).split('.')
  return BigInt(whole + fraction.padEnd(workingPlaces, '0'))
}

/** Without the exponent that JavaScript writes for very small numbers. Very large ones come as digits already. */
function plainDigits(value: Exact): string {
  const text = String(value)
  return text.includes('e') ? Number(value).toFixed(decimalPlaces) : text
}

/** Without useless zeros. */
function digitsOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(workingPlaces + 1, '0')
  const after = digits.slice(-workingPlaces).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -workingPlaces)}${after === '' ? '' : `.${after}`}`
}

function exact(digits: string): Exact {
  const value = Number(digits)
  return String(value) === digits ? value : digits
}
