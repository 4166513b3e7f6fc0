const day = '(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])'
const minute = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'
const offset = 'Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9]'
const dayText = new RegExp(`^${day}$`)
const momentText = new RegExp(`^(${day}T${minute})(?::([0-5][0-9])(?:\\.([0-9]{1,9}))?)?(${offset})$`)
const longestMoment = 'YYYY-MM-DDTHH:mm:ss.nnnnnnnnn+00:00'.length

/** Returns the text if it is `YYYY-MM-DD` and the day exists, in the years 0001 to 9999. */
export function parseDay(text: string): string | undefined {
  return dayText.test(text) && isDay(text) ? text : undefined
}

/** A moment as ISO 8601 in UTC with milliseconds, in the years 0001 to 9999; undefined if `text` is not a moment. */
export function parseMoment(text: string): string | undefined {
  const match = text.length <= longestMoment ? momentText.exec(text) : null
  if (match === null || !isDay(text)) return undefined
  const [, minute, seconds = '00', fraction = '', offset = 'Z'] = match
  const moment = `${minute}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
  return offset === 'Z' ? `${moment}Z` : toUtc(moment, offset)
}

function toUtc(moment: string, offset: string): string | undefined {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  const utc = new Date(Date.parse(`${moment}Z`) - (offset.startsWith('-') ? -minutes : minutes) * 60_000)
  const year = utc.getUTCFullYear()
  return year >= 1 && year <= 9999 ? utc.toISOString() : undefined
}

/** Whether `text` begins with an existing day. */
function isDay(text: string): boolean {
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  return day <= 28 || day <= daysIn(Number(text.slice(0, 4)), month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
