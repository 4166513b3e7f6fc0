import { writtenLocale } from './translate.ts'

let format: Intl.NumberFormat | undefined

/** A number with all its digits in the user's format; text that is not a number stays unchanged. */
export function numberText(value: number | string): string {
  if (typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value)) return value
  format ??= new Intl.NumberFormat(writtenLocale(), { maximumFractionDigits: 100 })
  // Strings of digits are formatted exactly, not as a double.
  return format.format(value as number)
}
