import type { ColumnKind } from '../../database/database.ts'
import type { ColumnField } from '../entry-model.ts'
import { parseDay, parseMoment } from '../payload/calendar.ts'

/** A value that fits, or what is wrong with it. */
export type ParsedValue = { readonly value: unknown } | { readonly problem: string }

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
}

/**
 * A filter value as the query string carries it, for a field: text, or (from other callers than REST)
 * a number or boolean already.
 */
export function parseFilterValue(field: ColumnField, raw: unknown): ParsedValue {
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') {
    return { problem: 'needs a single value' }
  }
  const parsed = parsers[field.kind](typeof raw === 'number' ? digitsOf(raw) : String(raw))
  const attribute = field.attribute
  if (attribute?.type === 'enum' && 'value' in parsed && !attribute.values.includes(String(parsed.value))) {
    return { problem: `must be one of ${attribute.values.join(', ')}` }
  }
  return parsed
}

/** Without an exponent, which JavaScript writes for very small and very large numbers. */
function digitsOf(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(30).replace(/0+$/, '')
}

/** Any text: what a substring or prefix is compared with need not be a whole value of the field. */
export function parseText(text: string): ParsedValue {
  return text.includes('\0') ? { problem: 'must not contain NUL characters' } : { value: text }
}

/** `true`, `false`, `1` or `0`. */
export function parseBoolean(text: unknown): ParsedValue {
  if (text === 'true' || text === '1') return { value: true }
  if (text === 'false' || text === '0') return { value: false }
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

/** A day stands for its first moment. */
function parseDatetime(text: string): ParsedValue {
  const value = parseMoment(text) ?? (parseDay(text) && `${text}T00:00:00.000Z`)
  return value === undefined
    ? { problem: 'must be a day or an ISO 8601 time with an offset, such as 2026-01-31T08:00:00Z' }
    : { value }
}
