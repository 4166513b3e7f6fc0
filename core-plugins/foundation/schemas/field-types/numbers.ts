import Big from 'big.js'
import { type TSchema, Type } from 'typebox'
import type { ValueAttributeBase, ValueReport } from '../field-type.ts'
import { type FileProblem, shorten } from '../files/file-problem.ts'
import { valueOperators } from '../filter-operators.ts'
import { badDefault, compact, crossed } from './options.ts'

export interface NumberAttribute extends ValueAttributeBase {
  readonly type: 'integer' | 'bigint' | 'decimal'
  readonly unique: boolean
  /** As written in the file: a number, or a string where a double would not be exact. */
  readonly min?: number | string
  readonly max?: number | string
  readonly default?: number | string
}

/** A number as written in a schema file. */
type WrittenNumber = number | string

/** `pattern` applies to numbers that are written as strings. */
function numberOption(pattern: string, description: string) {
  return Type.Optional(
    Type.Unsafe<WrittenNumber>({
      type: ['number', 'string'],
      pattern,
      description: `${description} As a string where a double would not be exact.`,
    }),
  )
}

/** The options `min`, `max` and `default` for numbers that a double may not hold exactly. */
export const exactOptions = (pattern: string) => ({
  min: numberOption(pattern, 'Least value.'),
  max: numberOption(pattern, 'Greatest value.'),
  default: numberOption(pattern, 'Value of new entries that bring none.'),
})

interface NumberFile {
  readonly min?: WrittenNumber
  readonly max?: WrittenNumber
  readonly default?: WrittenNumber
}

/** What a field type requires of its numeric options. */
export interface NumberRules {
  readonly type: NumberAttribute['type']
  isExact(value: WrittenNumber): boolean
  /** What to do about a number that is not exact. */
  readonly remedy: string
}

/** Checks that `min` does not exceed `max`, and that the default lies between them. */
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

/** Whether `left` is greater than `right`; false if either is missing. */
export function exceeds(left: WrittenNumber | undefined, right: WrittenNumber | undefined): boolean {
  if (left === undefined || right === undefined) return false
  return new Big(left).gt(right)
}

export const inexactNumberRule = `numbers beyond ±${Number.MAX_SAFE_INTEGER} lose digits in JSON: send it as a string`

/** The bounds of a whole number. */
export function boundsOf({ min, max }: NumberAttribute): { min?: bigint; max?: bigint } {
  return {
    ...(min === undefined ? {} : { min: BigInt(min) }),
    ...(max === undefined ? {} : { max: BigInt(max) }),
  }
}

/** Uses JavaScript's comparison of numbers with bigints, which is exact. */
export function checkBounds(
  value: number | bigint,
  min: bigint | undefined,
  max: bigint | undefined,
  report: ValueReport,
): void {
  if (min !== undefined && value < min) report.problem('min', `must be at least ${min}`)
  if (max !== undefined && value > max) report.problem('max', `must be at most ${max}`)
}

/** Omits bounds and defaults that are written as strings: in JSON Schema they must be numbers. */
export function schemaBounds({ min, max, default: value }: NumberAttribute) {
  return {
    ...(typeof min === 'number' ? { minimum: min } : {}),
    ...(typeof max === 'number' ? { maximum: max } : {}),
    ...(typeof value === 'number' ? { default: value } : {}),
  }
}

/** Accounts accept only numbers that a double holds exactly, and no strings. */
export function accountBounds({ min, max }: NumberAttribute) {
  return {
    minimum: Math.max(Number(min ?? Number.NEGATIVE_INFINITY), Number.MIN_SAFE_INTEGER),
    maximum: Math.min(Number(max ?? Number.POSITIVE_INFINITY), Number.MAX_SAFE_INTEGER),
  }
}

/** Also accepts a string, for numbers that lose digits in JSON. */
export function exactNumber(number: TSchema, pattern: string): TSchema {
  return Type.Union([number, Type.String({ pattern })])
}

/** The schema of answers: a number that loses digits in a double is sent as a string. */
const numberOrText = Type.Union([Type.Number(), Type.String()])

/** What `integer`, `bigint` and `decimal` have in common. */
export const numberMembers = {
  shape: 'value',
  filter: { operators: valueOperators },
  index: { isText: false, characters: () => 8 },
} as const

/** What `bigint` and `decimal` have in common. */
export const exactMembers = {
  ...numberMembers,
  complete: ({ min, max, default: value }: NumberFile) =>
    compact({ unique: false, min, max, default: value }),
  accountAnswerSchema: () => numberOrText,
  typescript: () => 'number | string',
  comparable: {
    isPossible: (value: unknown) =>
      typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)),
    expected: () => 'a number',
  },
} as const
