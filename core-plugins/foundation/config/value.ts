import type { TSchema } from 'typebox'
import { Check } from 'typebox/schema'
import type { Setting } from './setting.ts'

/** The names of value types in the admin API and in reports. */
export type SettingType = 'string' | 'integer' | 'number' | 'boolean' | 'string[]' | 'json'

/** The keywords of JSON Schema that describe settings. */
interface Keywords {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Keywords
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** The name of the schema's type; anything that is not a simple type is `json`. */
export function typeOf(schema: TSchema): SettingType {
  const { type = '', enum: allowed, items } = schema as Keywords
  if (allowed !== undefined) return 'string'
  if (type === 'array' && (items?.type === 'string' || items?.enum !== undefined)) return 'string[]'
  return isSimple(type) ? type : 'json'
}

function isSimple(type: string): type is 'string' | 'integer' | 'number' | 'boolean' {
  return ['string', 'integer', 'number', 'boolean'].includes(type)
}

/** The limits of a setting's value, or of the items if it is a list. */
export interface Limits {
  readonly min?: number
  readonly max?: number
  /** Maximum length of a text. */
  readonly maxLength?: number
  /** The only allowed texts. */
  readonly enum?: readonly string[]
}

export function limitsOf(schema: TSchema): Limits {
  const { minimum, maximum, maxLength, enum: allowed } = (schema as Keywords).items ?? (schema as Keywords)
  return {
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(allowed === undefined ? {} : { enum: allowed }),
  }
}

/** The parsed value of a variable's text, or that the text is invalid. */
export type ParsedValue = { readonly value: unknown } | { readonly invalid: true }

/** Parses the text of an environment variable; it must not be empty. */
export function parseValue(type: SettingType, text: string): ParsedValue {
  return parsers[type](text)
}

const invalid = { invalid: true } as const

const parsers: Readonly<Record<SettingType, (text: string) => ParsedValue>> = {
  string: (text) => ({ value: text }),
  integer: (text) => (/^[+-]?\d+$/.test(text.trim()) ? { value: Number(text) } : invalid),
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? { value: Number(text) } : invalid),
  boolean: parseBoolean,
  'string[]': (text) => (text.trim().startsWith('[') ? parseJson(text) : { value: splitList(text) }),
  json: parseJson,
}

function parseBoolean(text: string): ParsedValue {
  const word = text.trim().toLowerCase()
  if (word === 'true' || word === '1') return { value: true }
  if (word === 'false' || word === '0') return { value: false }
  return invalid
}

function parseJson(text: string): ParsedValue {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return invalid
  }
}

/** Splits a comma-separated list; items are trimmed, and empty ones dropped. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Whether the schema of the setting allows the value. */
export function isAllowed({ schema }: Setting<unknown>, value: unknown): boolean {
  if (value === undefined || !Check(schema, value)) return false
  // JSON Schema cannot express the limit beyond which integers lose precision.
  return typeOf(schema) !== 'integer' || Number.isSafeInteger(value)
}

/** Describes the allowed values in words that follow "must be". */
export function describeAllowed({ schema }: Setting<unknown>): string {
  const limits = limitsOf(schema)
  switch (typeOf(schema)) {
    case 'string':
      return limits.enum === undefined
        ? `a text${describeLength(limits)}`
        : `one of ${limits.enum.join(', ')}`
    case 'integer':
      return `a whole number${describeBounds(limits)}`
    case 'number':
      return `a number${describeBounds(limits)}`
    case 'boolean':
      return 'true or false (or 1 or 0)'
    case 'string[]':
      return limits.enum === undefined
        ? `a list of texts${describeLength(limits)}`
        : `a list of ${limits.enum.join(', ')}`
    case 'json':
      return 'JSON'
  }
}

function describeLength({ maxLength }: Limits): string {
  return maxLength === undefined ? '' : ` of at most ${maxLength} characters`
}

function describeBounds({ min, max }: Limits): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}
