import { writtenLocale } from '../../../ground/i18n/translate.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = formats.get(name) ?? new Intl.DateTimeFormat(writtenLocale(), options)
  formats.set(name, known)
  return known
}

/** A day, which is the same one everywhere. */
export function formatDay(day: string): string {
  const time = Date.parse(day)
  if (Number.isNaN(time)) return day
  return dateFormat('day', { dateStyle: 'medium', timeZone: 'UTC' }).format(time)
}

/** A date and time in the user's time zone. */
export function formatMoment(moment: string): string {
  const time = Date.parse(moment)
  if (Number.isNaN(time)) return moment
  return dateFormat('moment', { dateStyle: 'medium', timeStyle: 'short' }).format(time)
}

const longestShown = 200

/** The beginning of a text as one line, without the tags of rich text. */
export function plainText(value: string): string {
  const text = value.slice(0, longestShown * 4).replace(/<[^>]*>?/g, ' ')
  return text.replaceAll('&nbsp;', ' ').replace(/\s+/g, ' ').trim().slice(0, longestShown)
}
