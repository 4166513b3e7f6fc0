import Big from 'big.js'
import { type TSchema, Type } from 'typebox'
import type { ValueAttributeBase, ValueReport } from '../field-type.ts'
import { type FileProblem, shorten } from '../file-problem.ts'
import { badDefault, crossed } from './options.ts'

export interface NumberAttribute extends ValueAttributeBase {
  readonly type: 'integer' | 'bigint' | 'decimal'
  readonly unique: boolean
  /** As written in the file: a number, or a string where a double would not be exact. */
  readonly min?: number | string
  readonly max?: number | string
  readonly default?: number | string
}

type Numeral = number | string

/** A number in a file; `pattern` is of those that are written as strings. */
function numeral(pattern: string, description: string) {
  return Type.Optional(
    Type.Unsafe<Numeral>({
      type: ['number', 'string'],
      pattern,
      description: `${description} As a string where a double would not be exact.`,
    }),
  )
}

/** `min`, `max` and `default` of numbers that a double may not hold. */
export const numeralOptions = (pattern: string) => ({
  min: numeral(pattern, 'Least value.'),
  max: numeral(pattern, 'Greatest value.'),
  default: numeral(pattern, 'Value of new entries that bring none.'),
})

interface NumberFile {
  readonly min?: Numeral
  readonly max?: Numeral
  readonly default?: Numeral
}

/** What a type of numbers asks of those in a file. */
export interface NumberRules {
  readonly type: NumberAttribute['type']
  isExact(value: Numeral): boolean
  /** What to do about a number that is not. */
  readonly remedy: string
}

/** Whether the bounds leave room, and the default keeps them. */
export function checkNumbers(file: NumberFile, { type, isExact, remedy }: NumberRules): FileProblem[] {
  const given = (['min', 'max', 'default'] as const).flatMap((key) => {
    const value = file[key]
    return value === undefined ? [] : [{ key, value }]
  })
  const inexact = given.filter(({ value }) => !isExact(value))
  if (inexact.length > 0) {
    return inexact.map(({ key, value }) => {
      return { at: key, message: `cannot be ${shorten(value)} in a field of type ${type}`, remedy }
    })
  }
  const { min, max } = file
  const problems = exceeds(min, max) ? [crossed('min', min, max)] : []
  if (exceeds(min, file.default) || exceeds(file.default, max)) {
    problems.push(badDefault(file.default, `lie between ${min ?? 'any'} and ${max ?? 'any'}`))
  }
  return problems
}

/** Whether the one is greater than the other; false where either is missing. */
export function exceeds(left: Numeral | undefined, right: Numeral | undefined): boolean {
  if (left === undefined || right === undefined) return false
  return new Big(left).gt(right)
}

export const inexactNumberRule = `numbers beyond ±${Number.MAX_SAFE_INTEGER} lose digits in JSON: send it as a string`

/** The bounds of whole numbers. */
export function boundsOf({ min, max }: NumberAttribute): { min?: bigint; max?: bigint } {
  return {
    ...(min === undefined ? {} : { min: BigInt(min) }),
    ...(max === undefined ? {} : { max: BigInt(max) }),
  }
}

/** Comparisons of a number with a bigint are exact in JavaScript. */
export function checkBounds(
  value: number | bigint,
  min: bigint | undefined,
  max: bigint | undefined,
  report: ValueReport,
): void {
  if (min !== undefined && value < min) report.problem('min', `must be at least ${min}`)
  if (max !== undefined && value > max) report.problem('max', `must be at most ${max}`)
}

/** Bounds and defaults that a double cannot hold are left out: JSON Schema has numbers only. */
export function schemaBounds({ min, max, default: value }: NumberAttribute) {
  return {
    ...(typeof min === 'number' ? { minimum: min } : {}),
    ...(typeof max === 'number' ? { maximum: max } : {}),
    ...(typeof value === 'number' ? { default: value } : {}),
  }
}

/** Accounts take numbers that a double holds exactly, and no strings. */
export function accountBounds({ min, max }: NumberAttribute) {
  return {
    minimum: Math.max(Number(min ?? Number.NEGATIVE_INFINITY), Number.MIN_SAFE_INTEGER),
    maximum: Math.min(Number(max ?? Number.POSITIVE_INFINITY), Number.MAX_SAFE_INTEGER),
  }
}

/** A string where a JSON number would lose digits; both are accepted. */
export function exactNumber(number: TSchema, pattern: string): TSchema {
  return Type.Union([number, Type.String({ pattern })])
}

/** A number that loses digits in a double is answered as a string. */
export const numberOrText = Type.Union([Type.Number(), Type.String()])

export const comparableNumeral = {
  isPossible: (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)),
  expected: () => 'a number',
}
