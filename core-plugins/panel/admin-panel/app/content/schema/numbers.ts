/** A number as sent to the API: a string if a double would lose digits. Text that is not a number stays as typed. */
export type NumberValue = number | string

/** A text with two readings: `1,234` is 1234 in English, and 1.234 in many other languages. */
export interface Ambiguity {
  /** The two readings, written unambiguously. */
  readonly whole: string
  readonly fraction: string
}

/** Reads and writes numbers as a locale does. */
export interface LocalNumbers {
  /** Parses a whole number with or without grouping; other text stays as typed. */
  parseInteger(text: string): NumberValue | null
  /**
   * Parses a decimal number with the decimal separator of the locale or another one. Ambiguous text is read with a fraction:
   * check `ambiguityOf` first.
   */
  parseDecimal(text: string): NumberValue | null
  /** The two readings of a text that `parseDecimal` accepts; undefined if there is only one. */
  ambiguityOf(text: string): Ambiguity | undefined
  /** Formats with the locale's decimal separator and without grouping, which would get in the way of editing. */
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

/** Spaces and apostrophes between digits, as in France and Switzerland, are always grouping. */
const withoutSpaces = (text: string) => text.trim().replace(/(?<=\d)[\s\u00a0\u202f'’](?=\d{3}(?!\d))/g, '')

/** A number with a decimal point and no grouping; undefined if the text is not a number. */
function normalForm(text: string): string | undefined {
  const compact = withoutSpaces(text)
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','))
  const normal = last < 0 ? compact : withPoint(compact, last)
  return normal !== undefined && decimal.test(normal) ? normal : undefined
}

/** Treats the last separator as the decimal one, unless it occurs several times: then all are grouping. */
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
