import { writtenLocale } from './translate.ts'

let format: Intl.NumberFormat | undefined

/** A number to be read, with all its digits, as is usual where the reader is; what is no number stays as it is. */
export function numberText(value: number | string): string {
  if (typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value)) return value
  format ??= new Intl.NumberFormat(writtenLocale(), { maximumFractionDigits: 100 })
  // A text of digits is formatted digit by digit, not as a double.
  return format.format(value as number)
}
