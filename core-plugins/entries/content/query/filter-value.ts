import { type ColumnKind, parseDay, parseMoment } from '../../../foundation/database/database.ts'
import { holdsComponents, isReference, type ParsedValue } from '../../../foundation/schemas/schemas.ts'
import type { ColumnField } from '../entry/entry-model.ts'

type Parser = (text: string) => ParsedValue

const largestBigint = 2n ** 63n - 1n
const decimalPattern = /^-?\d{1,35}(\.\d{1,30})?$/

const parsers: Readonly<Record<ColumnKind, Parser>> = {
  id: parseInteger,
  reference: parseInteger,
  integer: parseInteger,
  bigint: parseBigint,
  decimal: (text) => (decimalPattern.test(text) ? { value: text } : { problem: 'is not a decimal number' }),
  boolean: parseBoolean,
  string: parseText,
  text: parseText,
  date: parseDate,
  datetime: parseDatetime,
  json: () => ({ problem: 'cannot be compared' }),
  point: () => ({ problem: 'cannot be compared; ask where it is by $near or $within' }),
}

/**
 * Parses a filter value for a field: text from the query string, or (from callers other than REST) a number
 * or boolean.
 */
export function parseFilterValue(field: ColumnField, raw: unknown): ParsedValue {
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') {
    return { problem: 'needs a single value' }
  }
  const parsed = parsers[field.kind](typeof raw === 'number' ? digitsOf(raw) : String(raw))
  const { attribute } = field
  if ('problem' in parsed || attribute === undefined) return parsed
  if (isReference(attribute) || holdsComponents(attribute)) return parsed
  return attribute.definition.filter.parse?.(parsed.value, attribute) ?? parsed
}

/** Without an exponent, which JavaScript uses for very small and very large numbers. */
function digitsOf(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(30).replace(/0+$/, '')
}

/** Any text: the operand of a substring or prefix comparison need not be a complete value of the field. */
export function parseText(text: string): ParsedValue {
  return text.includes('\0') ? { problem: 'must not contain NUL characters' } : { value: text }
}

/** `true`, `false`, `1` or `0`; as text, or (of JSON, and of callers other than REST) a boolean. */
export function parseBoolean(text: unknown): ParsedValue {
  if (text === true || text === 'true' || text === '1') return { value: true }
  if (text === false || text === 'false' || text === '0') return { value: false }
  return { problem: 'must be true or false' }
}

function parseInteger(text: string): ParsedValue {
  const value = Number(text)
  return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(value)
    ? { value }
    : { problem: 'must be an integer' }
}

function parseBigint(text: string): ParsedValue {
  if (!/^-?\d{1,19}$/.test(text)) return { problem: 'must be an integer' }
  const value = BigInt(text)
  const isInRange = value <= largestBigint && value >= -largestBigint - 1n
  return isInRange ? { value } : { problem: 'must be an integer of at most 64 bits' }
}

function parseDate(text: string): ParsedValue {
  const value = parseDay(text)
  return value === undefined ? { problem: 'must be a day such as 2026-01-31' } : { value }
}

/** A day stands for its start. */
function parseDatetime(text: string): ParsedValue {
  const value = parseMoment(text) ?? (parseDay(text) && `${text}T00:00:00.000Z`)
  return value === undefined
    ? { problem: 'must be a day or an ISO 8601 time with an offset, such as 2026-01-31T08:00:00Z' }
    : { value }
}
