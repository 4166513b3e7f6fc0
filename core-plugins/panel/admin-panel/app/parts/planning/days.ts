/** A day in the browser's time zone: `2026-11-23`. */
export type Day = string

export const dayOf = (moment: Date | string): Day => {
  const date = new Date(moment)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The midnight at the start of a day. */
export const startOf = (day: Day): Date => new Date(`${day}T00:00`)

/** Adds calendar days, so that a day of 23 hours counts as one. */
export function addDays(day: Day, count: number): Day {
  const date = startOf(day)
  date.setDate(date.getDate() + count)
  return dayOf(date)
}

export function addMonths(day: Day, count: number): Day {
  const date = startOf(`${day.slice(0, 'YYYY-MM'.length)}-01`)
  date.setMonth(date.getMonth() + count)
  return dayOf(date)
}

/** Parses a day; undefined if the text is not a day. */
export const parseDay = (text: string | null): Day | undefined =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(startOf(text)) === text ? text : undefined

/** The days of the week that contains a day; `firstWeekday` is 1 for Monday, 7 for Sunday. */
export function weekOf(day: Day, firstWeekday: number): readonly Day[] {
  const before = (startOf(day).getDay() - firstWeekday + 7) % 7
  return Array.from({ length: 7 }, (_, index) => addDays(day, index - before))
}

/** The weeks that contain days of the month. */
export function monthOf(day: Day, firstWeekday: number): readonly (readonly Day[])[] {
  const first = addMonths(day, 0)
  const next = addMonths(day, 1)
  const weeks: (readonly Day[])[] = []
  for (let week = weekOf(first, firstWeekday); (week[0] ?? next) < next; ) {
    weeks.push(week)
    week = week.map((each) => addDays(each, 7))
  }
  return weeks
}

/** The same local time on another day. */
export function onDay(at: string, day: Day): Date {
  const moment = new Date(at)
  const moved = startOf(day)
  moved.setHours(moment.getHours(), moment.getMinutes(), moment.getSeconds(), moment.getMilliseconds())
  return moved
}

type WithWeeks = Intl.Locale & {
  readonly weekInfo?: { readonly firstDay: number }
  getWeekInfo?(): { readonly firstDay: number }
}

/** The first weekday of a language; Monday if the browser does not know. */
export function firstWeekdayOf(language: string): number {
  const locale: WithWeeks = new Intl.Locale(language)
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}
