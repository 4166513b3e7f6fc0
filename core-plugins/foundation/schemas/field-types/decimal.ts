import Big from 'big.js'
import { Type } from 'typebox'
import { decimalDigits, exactDecimal, fitsDecimal, mayBeRounded } from '../../database/database.ts'
import { defineFieldType, type ValueCheck, type ValueReport } from '../field-type.ts'
import {
  accountBounds,
  checkNumbers,
  exactMembers,
  exactNumber,
  exactOptions,
  inexactNumberRule,
  type NumberAttribute,
  schemaBounds,
} from './numbers.ts'

const options = exactOptions('^-?[0-9]+(\\.[0-9]+)?$')

const rules = {
  type: 'decimal',
  isExact: (value: number | string) => Number.isFinite(Number(value)),
  remedy: 'write a smaller number',
} as const

export const decimalType = defineFieldType<typeof options, NumberAttribute>({
  ...exactMembers,
  name: 'decimal',
  description: 'A number that keeps its digits.',
  options,
  checkOptions: (file) => checkNumbers(file, rules),
  column: () => ({ kind: 'decimal' }),
  compileCheck: compileDecimal,
  jsonSchema: (attribute) =>
    exactNumber(Type.Number(schemaBounds(attribute)), '^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$'),
  accountSchema: (attribute) => Type.Number(accountBounds(attribute)),
  graphql: () => ({ scalar: 'Decimal' }),
})

/** The longest text that is parsed; no valid decimal is longer. */
const maxTextLength = 100

const decimalText = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/

const digitsRule = `must have at most ${decimalDigits.before} digits before and ${decimalDigits.after} after the decimal point`

/** Accepts a number or a string; returns a string only for numbers that a double cannot hold exactly. */
function compileDecimal(attribute: NumberAttribute): ValueCheck {
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
    if (typeof value === 'number' && mayBeRounded(value)) {
      return report.problem('type', inexactNumberRule)
    }
    if (!fitsDecimal(decimal)) return report.problem('format', digitsRule)
    checkExact(decimal, report)
    return exactDecimal(decimal.toFixed())
  }
}

/** True for most numbers: those without an exponent, and small enough to have few digits. */
function isPlainNumber(value: unknown): value is number {
  if (typeof value !== 'number') return false
  const size = Math.abs(value)
  return value === 0 || (size >= 1e-6 && size <= Number.MAX_SAFE_INTEGER)
}

/** Undefined if a bound is not a double. Doubles are ordered like the shortest decimals that represent them. */
function compileNumberBounds({ min, max }: NumberAttribute) {
  if (typeof min === 'string' || typeof max === 'string') return undefined
  return (value: number, report: ValueReport) => {
    if (min !== undefined && value < min) report.problem('min', `must be at least ${min}`)
    if (max !== undefined && value > max) report.problem('max', `must be at most ${max}`)
  }
}

function compileExactBounds({ min, max }: NumberAttribute) {
  const least = min === undefined ? undefined : new Big(min)
  const greatest = max === undefined ? undefined : new Big(max)
  return (decimal: Big, report: ValueReport) => {
    if (least?.gt(decimal) === true) report.problem('min', `must be at least ${min}`)
    if (greatest?.lt(decimal) === true) report.problem('max', `must be at most ${max}`)
  }
}

function decimalOf(value: unknown): Big | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(value) : undefined
  if (typeof value !== 'string' || value.length > maxTextLength || !decimalText.test(value)) return undefined
  return new Big(value)
}
