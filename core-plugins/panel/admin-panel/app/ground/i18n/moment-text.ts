import { writtenLocale } from './translate.ts'

/** An instant with date and time, in the user's format. */
export const momentText = (moment: string | Date): string =>
  new Date(moment).toLocaleString(writtenLocale(), { dateStyle: 'medium', timeStyle: 'short' })

/** The time zone with its offset at that instant, which may differ from today's: `Europe/Vienna, GMT+2`. */
export const zoneOf = (moment: Date): string => [ownTimeZone(), zoneName(moment, 'shortOffset')].join(', ')

/** The browser's time zone, such as `Europe/Vienna`. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The name of the browser's time zone at an instant: `GMT+2`, or `Central European Summer Time`. */
export function zoneName(moment: Date, timeZoneName: 'shortOffset' | 'long'): string {
  const format = new Intl.DateTimeFormat(writtenLocale(), { timeZoneName })
  return format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
