import { nearest } from '../config/config.ts'
import { defaultStringLength } from './attribute.ts'
import { isDate, isEmailAddress, isInstant } from './check-text.ts'
import { maxIndexedCharacters } from './column.ts'
import type { FileProblem } from './draft.ts'
import type { AttributeFile, AttributeFileOf } from './file-attribute-schema.ts'
import { shorten } from './shape-message.ts'

/** Whether the bounds of an attribute leave room, and its default keeps them. Paths are from the attribute. */
export function checkAttributeValues(file: AttributeFile): FileProblem[] {
  switch (file.type) {
    case 'string':
    case 'email':
    case 'text':
      return checkText(file)
    case 'integer':
    case 'bigint':
    case 'decimal':
      return checkNumber(file)
    case 'date':
      return checkDefault(file, isDate, 'a date as YYYY-MM-DD')
    case 'datetime':
      return checkDefault(file, isMoment, '`now`, or a time as 2026-01-31T08:00:00Z')
    case 'enum':
      return checkEnum(file)
    case 'component':
      return checkRepeatable(file)
    default:
      return []
  }
}

const isMoment = (text: string) => text === 'now' || isInstant(text)

function checkText(file: AttributeFileOf<'string' | 'email' | 'text'>): FileProblem[] {
  const { minLength = 0, default: value } = file
  const longest = file.maxLength ?? (file.type === 'text' ? Number.POSITIVE_INFINITY : defaultStringLength)
  const problems = minLength > longest ? [crossed('minLength', minLength, longest)] : []
  if (file.type !== 'text' && file.unique === true && longest > maxIndexedCharacters) {
    problems.push(tooLongForUnique(longest))
  }
  if (value === undefined) return problems
  const length = [...value].length
  if (length < minLength || length > longest) {
    problems.push(badDefault(value, `have ${minLength} to ${longest} characters`))
  }
  if (file.type === 'email' && !isEmailAddress(value))
    problems.push(badDefault(value, 'be an e-mail address'))
  return problems
}

function tooLongForUnique(longest: number): FileProblem {
  return {
    at: 'unique',
    message: `is not possible for up to ${longest} characters`,
    remedy: `set maxLength to ${maxIndexedCharacters} or less`,
  }
}

function checkNumber(file: AttributeFileOf<'integer' | 'bigint' | 'decimal'>): FileProblem[] {
  const given = (['min', 'max', 'default'] as const).flatMap((key) => {
    const value = file[key]
    return value === undefined ? [] : [{ key, value }]
  })
  const inexact = given.filter(({ value }) => !isExact(file.type, value))
  if (inexact.length > 0) return inexact.map(({ key, value }) => inexactNumber(file.type, key, value))
  const { min, max } = file
  const problems = exceeds(min, max) ? [crossed('min', min, max)] : []
  if (exceeds(min, file.default) || exceeds(file.default, max)) {
    problems.push(badDefault(file.default, `lie between ${min ?? 'any'} and ${max ?? 'any'}`))
  }
  return problems
}

type Numeral = number | string | undefined

/** Decimals are compared as doubles: near enough to find slips. */
function exceeds(left: Numeral, right: Numeral): boolean {
  if (left === undefined || right === undefined) return false
  const isWhole = [left, right].every((value) => /^-?\d+$/.test(String(value)))
  return isWhole ? BigInt(left) > BigInt(right) : Number(left) > Number(right)
}

const leastBigint = -(2n ** 63n)
const greatestBigint = 2n ** 63n - 1n

function isExact(type: 'integer' | 'bigint' | 'decimal', value: number | string): boolean {
  if (type === 'decimal') return Number.isFinite(Number(value))
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return BigInt(value) >= leastBigint && BigInt(value) <= greatestBigint
}

function inexactNumber(type: string, key: string, value: number | string): FileProblem {
  return {
    at: key,
    message: `cannot be ${shorten(value)} in a field of type ${type}`,
    remedy: type === 'bigint' ? 'write a whole number of 64 bits as a string' : 'write a smaller number',
  }
}

function checkDefault(
  { default: value }: AttributeFileOf<'date' | 'datetime'>,
  isAllowed: (text: string) => boolean,
  expected: string,
): FileProblem[] {
  return value === undefined || isAllowed(value) ? [] : [badDefault(value, `be ${expected}`)]
}

function checkEnum({ enum: values, default: value }: AttributeFileOf<'enum'>): FileProblem[] {
  if (value === undefined || values.includes(value)) return []
  const meant = nearest(value, values)
  const problem = badDefault(value, `be one of ${values.join(', ')}`)
  return [meant === undefined ? problem : { ...problem, remedy: `did you mean ${meant}?` }]
}

function checkRepeatable({ repeatable, min, max }: AttributeFileOf<'component'>): FileProblem[] {
  const bounds = Object.entries({ min, max }).filter(([, bound]) => bound !== undefined)
  if (repeatable !== true) {
    return bounds.map(([at]) => ({
      at,
      message: 'counts the items of a repeatable component, and this is a single one',
      remedy: 'remove it, or add "repeatable": true',
    }))
  }
  return exceeds(min, max) ? [crossed('min', min, max)] : []
}

function crossed(at: string, least: unknown, greatest: unknown): FileProblem {
  return {
    at,
    message: `is ${least}, more than the greatest allowed, ${greatest}`,
    remedy: 'exchange or correct them',
  }
}

function badDefault(value: unknown, expected: string): FileProblem {
  return {
    at: 'default',
    message: `is ${shorten(value)}, but must ${expected}`,
    remedy: 'correct it or remove it',
  }
}
