/** A number as the API takes it: a string where a double would lose digits. What is no number stays as typed. */
export type NumberValue = number | string

const integer = /^[+-]?\d+$/
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)$/
const exactDigits = 15

/** Reads a whole number; the service refuses what is none, and says so. */
export function parseInteger(text: string): NumberValue | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (!integer.test(trimmed)) return trimmed
  const number = Number(trimmed)
  return Number.isSafeInteger(number) ? number : trimmed.replace(/^\+/, '')
}

/** Reads a decimal number, with a point or a comma. */
export function parseDecimal(text: string): NumberValue | null {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return null
  if (!decimal.test(trimmed)) return text.trim()
  const digits = trimmed.replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length <= exactDigits) return Number(trimmed)
  return trimmed
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
}

export const formatNumber = (value: NumberValue | null | undefined): string => String(value ?? '')

/** Whether a value from `parseInteger` or `parseDecimal` is a number. */
export const isNumber = (value: NumberValue): boolean => typeof value === 'number' || decimal.test(value)
