import type { NumberAttribute } from '../../schemas/schemas.ts'
import { inexactNumberRule } from './number.ts'
import type { PayloadReport, ValueCheck } from './report.ts'

/** Digits of a `decimal` before and after the point, on every database. */
const maxWholeDigits = 35
const maxFractionDigits = 30

/** Longer texts are no decimal that fits; also bounds what is parsed. */
const maxTextLength = 100

/** So many significant digits survive the way into a double and back. */
const exactDigits = 15

const decimalText = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/

/** A decimal number digit by digit: no sign for zero, no leading or trailing zeros. */
interface Decimal {
  readonly sign: '-' | ''
  readonly whole: string
  readonly fraction: string
}

/** Compiles the check of `decimal`: a number or a string; answers a string only where a number loses digits. */
export function compileDecimal(attribute: NumberAttribute): ValueCheck {
  const checkNumber = compileNumberBounds(attribute)
  const checkExact = compileExactBounds(attribute)

  return (value, report) => {
    if (checkNumber !== undefined && isPlainNumber(value)) {
      checkNumber(value, report)
      return value === 0 ? 0 : value
    }
    const decimal = decimalOf(value)
    if (decimal === undefined) {
      return report.problem('type', 'must be a decimal number, or a string that holds one')
    }
    if (typeof value === 'number' && hasLostDigits(value, decimal)) {
      return report.problem('type', inexactNumberRule)
    }
    if (decimal.whole.length > maxWholeDigits || decimal.fraction.length > maxFractionDigits) {
      return report.problem('format', digitsRule)
    }
    checkExact(scale(decimal), report)
    return shortest(decimal)
  }
}

const digitsRule = `must have at most ${maxWholeDigits} digits before and ${maxFractionDigits} after the decimal point`

/** Most numbers: without an exponent and with few enough digits by their size alone. */
function isPlainNumber(value: unknown): value is number {
  if (typeof value !== 'number') return false
  const size = Math.abs(value)
  return value === 0 || (size >= 1e-6 && size <= Number.MAX_SAFE_INTEGER)
}

/** Doubles stand in the same order as the shortest decimals that name them. Undefined where a bound is not a double. */
function compileNumberBounds({ min, max }: NumberAttribute) {
  if (typeof min === 'string' || typeof max === 'string') return undefined
  return (value: number, report: PayloadReport) => {
    if (min !== undefined && value < min) report.problem('min', `must be at least ${min}`)
    if (max !== undefined && value > max) report.problem('max', `must be at most ${max}`)
  }
}

function compileExactBounds({ min, max }: NumberAttribute) {
  const lowest = min === undefined ? undefined : scaleBound(min)
  const highest = max === undefined ? undefined : scaleBound(max)
  return (scaled: bigint, report: PayloadReport) => {
    if (lowest !== undefined && scaled < lowest) report.problem('min', `must be at least ${min}`)
    if (highest !== undefined && scaled > highest) report.problem('max', `must be at most ${max}`)
  }
}

function scaleBound(bound: number | string): bigint {
  const decimal = parseDecimal(String(bound))
  if (decimal === undefined) throw new Error(`${bound} is not a decimal number`)
  return scale(decimal)
}

/** The number times ten to the power of `maxFractionDigits`. */
function scale({ sign, whole, fraction }: Decimal): bigint {
  return BigInt(`${sign}${whole}${fraction.padEnd(maxFractionDigits, '0')}`)
}

function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'number') return parseDecimal(String(value))
  return typeof value === 'string' && value.length <= maxTextLength ? parseDecimal(value) : undefined
}

function parseDecimal(text: string): Decimal | undefined {
  const match = decimalText.exec(text)
  if (match === null) return undefined
  const [, sign, first = '', rest = '', exponent = '0'] = match
  const point = first.length + Number(exponent)
  const digits = first + rest
  const whole = digits.slice(0, Math.max(point, 0)).padEnd(point, '0').replace(/^0+/, '')
  const fraction = ('0'.repeat(Math.max(-point, 0)) + digits.slice(Math.max(point, 0))).replace(/0+$/, '')
  const isZero = whole === '' && fraction === ''
  return { sign: sign === '-' && !isZero ? '-' : '', whole, fraction }
}

/** JSON readers round what does not fit a double, so a long whole number may not be what was sent. */
function hasLostDigits(value: number, { whole }: Decimal): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && whole.replace(/0+$/, '').length > exactDigits
}

function shortest({ sign, whole, fraction }: Decimal): number | string {
  const text = `${sign}${whole || '0'}${fraction && `.${fraction}`}`
  const number = Number(text)
  return String(number) === text ? number : text
}
