import { writtenLocale } from './translate.ts'

/** A moment in words, with date and time. */
export const momentText = (moment: string | Date): string =>
  new Date(moment).toLocaleString(writtenLocale(), { dateStyle: 'medium', timeStyle: 'short' })

/** `Europe/Vienna, GMT+2`: with the offset of that day, which may not be that of today. */
export function zoneOf(moment: Date): string {
  const format = new Intl.DateTimeFormat(writtenLocale(), { timeZoneName: 'shortOffset' })
  const offset = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return [format.resolvedOptions().timeZone, offset].join(', ')
}
