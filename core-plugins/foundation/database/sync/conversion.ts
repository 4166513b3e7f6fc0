import { parseDay, parseMoment } from '../calendar.ts'
import { exactDecimal } from '../decimal.ts'
import { exactInteger } from '../integer.ts'
import { isPoint } from '../point.ts'
import type { ColumnKind } from '../tables/column-kind.ts'
import { isIntegerKind } from '../tables/column-kind.ts'
import type { ColumnSpec } from '../tables/table-spec.ts'

/** What a column contains. */
export type Held = Pick<ColumnSpec, 'kind' | 'length'>

/**
 * What moving the values of one column into another requires: nothing, a wider type, rewriting every value without
 * loss, or losing some.
 */
export type Conversion = 'none' | 'widen' | 'rewrite' | 'lossy'

/** The default length of a `string`. */
export const defaultLength = 255

// The maximum length of a kind's values as text.
const textLengths: Partial<Record<ColumnKind, number>> = {
  id: 20,
  reference: 20,
  integer: 20,
  bigint: 20,
  boolean: 5,
  decimal: 67,
  date: 10,
  datetime: 24,
}

export function conversionOf(from: Held, to: Held): Conversion {
  if (from.kind === to.kind && from.kind !== 'string') return 'none'
  if (isIntegerKind(from.kind) && isIntegerKind(to.kind)) return from.kind === 'bigint' ? 'lossy' : 'none'
  if (isText(from.kind) && isText(to.kind)) return textConversion(lengthOf(from), lengthOf(to))
  if (isText(to.kind)) return fitsText(from.kind, lengthOf(to)) ? 'rewrite' : 'lossy'
  if (isIntegerKind(from.kind) && to.kind === 'decimal') return 'rewrite'
  if (from.kind === 'date' && to.kind === 'datetime') return 'rewrite'
  return 'lossy'
}

function textConversion(from: number, to: number): Conversion {
  if (from === to) return 'none'
  return to > from ? 'widen' : 'lossy'
}

function fitsText(kind: ColumnKind, length: number): boolean {
  const needed = textLengths[kind]
  return needed !== undefined && needed <= length
}

/** Whether values of a kind are texts. */
export function isText(kind: ColumnKind): boolean {
  return kind === 'string' || kind === 'text'
}

function lengthOf({ kind, length = defaultLength }: Held): number {
  return kind === 'string' ? length : Infinity
}

/** Describes what might be lost, for messages. */
export function describeLoss(from: Held, to: Held): string {
  return `values of ${describeKind(from)} may not fit into ${describeKind(to)}`
}

/** A kind in words, for messages. */
export function describeKind({ kind, length = defaultLength }: Held): string {
  return kind === 'string' ? `string(${length})` : kind
}

/** Converts a value to another kind; null if it has no such form. */
export function convertValue(value: unknown, to: Held): unknown {
  if (value === null) return null
  switch (to.kind) {
    case 'string':
      return [...asText(value)].slice(0, to.length ?? defaultLength).join('')
    case 'text':
      return asText(value)
    case 'boolean':
      return asBoolean(value)
    case 'json':
      return value
    case 'point':
      return isPoint(value) ? value : null
    case 'date':
      return asMoment(value)?.slice(0, 10) ?? null
    case 'datetime':
      return asMoment(value) ?? null
    default:
      return asNumber(value, to.kind)
  }
}

/** What a column of another kind will hold instead of a value, in the form in which it is read. */
export function convertedValue(value: unknown, to: Held): unknown {
  const converted = convertValue(value, to)
  if (typeof converted !== 'string') return converted
  if (to.kind === 'decimal') return exactDecimal(converted)
  return isIntegerKind(to.kind) ? exactInteger(converted) : converted
}

function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function asBoolean(value: unknown): boolean | null {
  const text = String(value).toLowerCase()
  if (['true', '1'].includes(text)) return true
  return ['false', '0'].includes(text) ? false : null
}

function asMoment(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return parseDay(value) === undefined ? parseMoment(value) : `${value}T00:00:00.000Z`
}

const wholePattern = /^[+-]?\d{1,18}$/
const decimalPattern = /^[+-]?\d{1,35}(\.\d{1,30})?$/

function asNumber(value: unknown, kind: ColumnKind): unknown {
  const text = typeof value === 'boolean' ? String(Number(value)) : String(value).trim()
  if (kind === 'decimal') return decimalPattern.test(text) ? text : null
  if (!wholePattern.test(text)) return null
  return kind === 'bigint' || Number.isSafeInteger(Number(text)) ? text : null
}
