import { writtenLocale } from './translate.ts'

/** A moment in words, with date and time. */
export const momentText = (moment: string | Date): string =>
  new Date(moment).toLocaleString(writtenLocale(), { dateStyle: 'medium', timeStyle: 'short' })

/** `Europe/Vienna, GMT+2`: with the offset of that day, which may not be that of today. */
export const zoneOf = (moment: Date): string => [ownTimeZone(), zoneName(moment, 'shortOffset')].join(', ')

/** That of the browser, as `Europe/Vienna`. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** What the time zone of the browser is called at a moment: `GMT+2`, or `Central European Summer Time`. */
export function zoneName(moment: Date, timeZoneName: 'shortOffset' | 'long'): string {
  const format = new Intl.DateTimeFormat(writtenLocale(), { timeZoneName })
  return format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
