import type { Setting, SettingType } from './setting.ts'

/** What a variable's text means for a setting, or why it means nothing. */
export type ParsedValue = { readonly value: unknown } | { readonly invalid: true }

/** Reads the text of an environment variable; it must not be empty. */
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

/** The items of a comma-separated list, trimmed, without empty ones. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** True where the value has the setting's type and keeps its bounds. */
export function isAllowed(setting: Setting<unknown>, value: unknown): boolean {
  switch (setting.type) {
    case 'string':
      return isAllowedString(setting, value)
    case 'integer':
      return Number.isSafeInteger(value) && isWithinBounds(setting, value as number)
    case 'number':
      return Number.isFinite(value) && isWithinBounds(setting, value as number)
    case 'boolean':
      return typeof value === 'boolean'
    case 'string[]':
      return Array.isArray(value) && value.every((item) => isAllowedString(setting, item))
    case 'json':
      return value !== undefined
  }
}

function isAllowedString(setting: Setting<unknown>, value: unknown): boolean {
  if (typeof value !== 'string' || value.length > (setting.maxLength ?? Infinity)) return false
  return setting.enum === undefined || setting.enum.includes(value)
}

function isWithinBounds({ min, max }: Setting<unknown>, value: number): boolean {
  return value >= (min ?? -Infinity) && value <= (max ?? Infinity)
}

/** What values a setting takes, in words that follow "must be". */
export function describeAllowed(setting: Setting<unknown>): string {
  switch (setting.type) {
    case 'string':
      return setting.enum === undefined
        ? `a text${describeLength(setting)}`
        : `one of ${setting.enum.join(', ')}`
    case 'integer':
      return `a whole number${describeBounds(setting)}`
    case 'number':
      return `a number${describeBounds(setting)}`
    case 'boolean':
      return 'true or false (or 1 or 0)'
    case 'string[]':
      return setting.enum === undefined
        ? `a list of texts${describeLength(setting)}`
        : `a list of ${setting.enum.join(', ')}`
    case 'json':
      return 'JSON'
  }
}

function describeLength({ maxLength }: Setting<unknown>): string {
  return maxLength === undefined ? '' : ` of at most ${maxLength} characters`
}

function describeBounds({ min, max }: Setting<unknown>): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}
