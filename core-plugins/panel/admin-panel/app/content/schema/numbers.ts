/** A number as the API takes it: a string where a double would lose digits. What is no number stays as typed. */
export type NumberValue = number | string

/** A text that means one number or another: in English, `1,234` is 1234 for one half of the world and 1.234 for the other. */
export interface Ambiguity {
  /** The two readings, as they are written without doubt. */
  readonly whole: string
  readonly fraction: string
}

/** Reads and writes numbers as a locale does. */
export interface LocalNumbers {
  /** A whole number, with or without groups; what is none stays as typed. */
  parseInteger(text: string): NumberValue | null
  /**
   * A decimal number, with the decimal sign of the locale or another one. An ambiguous one is read with a fraction: ask
   * `ambiguityOf` first.
   */
  parseDecimal(text: string): NumberValue | null
  /** The other readings of a text that `parseDecimal` would read; undefined if there is one only. */
  ambiguityOf(text: string): Ambiguity | undefined
  /** With the decimal sign of the locale, and without groups, which are in the way of whoever writes. */
  format(value: NumberValue | null | undefined): string
}

const integer = /^[+-]?\d+$/
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)$/
const exactDigits = 15

/** In groups of three, or of two before the last three as in India; a group does not begin a number with zero. */
const grouped = {
  '.': /^[+-]?[1-9]\d{0,2}(?:\.\d{2,3})*\.\d{3}$/,
  ',': /^[+-]?[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}$/,
}

const isGrouped = (text: string, sign: '.' | ',') => grouped[sign].test(text)

/** @param locale BCP 47 */
export function localNumbers(locale: string): LocalNumbers {
  const decimalSign = decimalSignOf(locale)
  const foreignSign = decimalSign === ',' ? '.' : ','

  return {
    parseInteger(text) {
      const trimmed = text.trim()
      if (trimmed === '') return null
      const compact = withoutSpaces(text)
      const digits = isGrouped(compact, foreignSign) ? compact.replaceAll(foreignSign, '') : compact
      if (!integer.test(digits)) return trimmed
      const number = Number(digits)
      return Number.isSafeInteger(number) ? number : digits.replace(/^\+/, '')
    },
    parseDecimal(text) {
      if (text.trim() === '') return null
      const normal = normalForm(text)
      return normal === undefined ? text.trim() : exactly(normal)
    },
    ambiguityOf(text) {
      const compact = withoutSpaces(text)
      if (!isGrouped(compact, foreignSign) || compact.split(foreignSign).length !== 2) return undefined
      return {
        whole: compact.replace(foreignSign, ''),
        fraction: compact.replace(foreignSign, decimalSign),
      }
    },
    format: (value) => {
      const text = String(value ?? '')
      return decimal.test(text) ? text.replace('.', decimalSign) : text
    },
  }
}

/** Whether a value from `parseInteger` or `parseDecimal` is a number. */
export const isNumber = (value: NumberValue): boolean => typeof value === 'number' || decimal.test(value)

function decimalSignOf(locale: string): '.' | ',' {
  const parts = new Intl.NumberFormat(locale, { useGrouping: false }).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

/** Blanks and apostrophes between digits, as in France and Switzerland, only make groups. */
const withoutSpaces = (text: string) => text.trim().replace(/(?<=\d)[\s\u00a0\u202f'’](?=\d{3}(?!\d))/g, '')

/** A number as programs write it, with a point and no groups; undefined if it is none. */
function normalForm(text: string): string | undefined {
  const compact = withoutSpaces(text)
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','))
  const normal = last < 0 ? compact : withPoint(compact, last)
  return normal !== undefined && decimal.test(normal) ? normal : undefined
}

/** The last sign is the decimal one, unless it is there several times: then all of them make groups. */
function withPoint(text: string, last: number): string | undefined {
  const sign = text[last] as '.' | ','
  if (text.indexOf(sign) !== last) return isGrouped(text, sign) ? text.replaceAll(sign, '') : undefined
  const other = sign === '.' ? ',' : '.'
  const whole = text.slice(0, last)
  if (whole.includes(other) && !isGrouped(whole, other)) return undefined
  return `${whole.replaceAll(other, '')}.${text.slice(last + 1)}`
}

function exactly(normal: string): NumberValue {
  const digits = normal.replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length <= exactDigits) return Number(normal)
  return normal
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
}
