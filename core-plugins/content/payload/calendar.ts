import type { DateAttribute } from '../../schemas/schemas.ts'
import type { ValueCheck } from './report.ts'

const dayText = /^(\d{4})-(\d{2})-(\d{2})$/
const momentText =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))$/
const longestMoment = 'YYYY-MM-DDTHH:mm:ss.nnnnnnnnn+00:00'.length

/** Compiles the check of `date` and `datetime`. */
export function compileDate(attribute: DateAttribute): ValueCheck {
  const [parse, rule] =
    attribute.type === 'date'
      ? [parseDay, 'must be a day such as 2026-01-31']
      : [parseMoment, 'must be an ISO 8601 time with an offset, such as 2026-01-31T08:00:00Z']
  return (value, report) => {
    if (typeof value !== 'string') return report.problem('type', rule)
    return parse(value) ?? report.problem('format', rule)
  }
}

/** The text itself if it is `YYYY-MM-DD` and such a day exists, in the years 0001 to 9999. */
export function parseDay(text: string): string | undefined {
  const match = text.length === 10 ? dayText.exec(text) : null
  if (match === null) return undefined
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const exists = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  return exists ? text : undefined
}

/** A moment as ISO 8601 in UTC with milliseconds, in the years 0001 to 9999; undefined if `text` names none. */
export function parseMoment(text: string): string | undefined {
  const match = text.length <= longestMoment ? momentText.exec(text) : null
  if (match === null) return undefined
  const [
    ,
    day = '',
    hours = '',
    minutes = '',
    seconds = '00',
    fraction = '',
    sign,
    offsetHours,
    offsetMinutes,
  ] = match
  if (parseDay(day) === undefined || hours > '23' || minutes > '59' || seconds > '59') return undefined
  const offset = offsetOf(sign, offsetHours, offsetMinutes)
  if (offset === undefined) return undefined
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}${offset}`)
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moment.toISOString() : undefined
}

function offsetOf(sign: string | undefined, hours = '', minutes = ''): string | undefined {
  if (sign === undefined) return 'Z'
  return hours <= '23' && minutes <= '59' ? `${sign}${hours}:${minutes}` : undefined
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
