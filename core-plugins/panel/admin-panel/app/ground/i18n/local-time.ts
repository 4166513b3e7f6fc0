/**
 * Local times as `<input type="datetime-local">` writes them, in the browser's time zone: `2026-10-25T02:30`. When clocks go
 * back, two instants have the same local time: the text of the second one ends with its UTC offset, `2026-10-25T02:30+01:00`, so
 * that it is not taken for the first one. Inputs never see that offset.
 */

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const offsetAtEnd = /[+-]\d\d:\d\d$/

/** An instant as local text, to the minute unless it has seconds. */
export function localText(moment: Date): string {
  const offset = -moment.getTimezoneOffset()
  const shifted = new Date(moment.getTime() + offset * minuteMs).toISOString()
  const text = shifted.slice(0, shifted.endsWith(':00.000Z') ? 'YYYY-MM-DDTHH:mm'.length : -1)
  return momentOf(text)?.getTime() === moment.getTime() ? text : text + offsetText(offset)
}

/** An instant as local text without seconds, for schedules by the minute. */
export const minuteText = (moment: Date): string =>
  localText(new Date(Math.floor(moment.getTime() / minuteMs) * minuteMs))

/**
 * The instant of a local text; undefined if the text is not a time. A local time skipped by a clock change is read as that long
 * after the change.
 */
export function momentOf(text: string): Date | undefined {
  const moment = new Date(text)
  return text === '' || Number.isNaN(moment.getTime()) ? undefined : moment
}

/** The local text of a stored instant; '' if there is none or the value is not an instant. */
export function localTextOf(stored: string | null | undefined): string {
  const moment = momentOf(stored ?? '')
  return moment === undefined ? '' : localText(moment)
}

/** The part of a local text that an input shows. */
export const inputOf = (text: string): string => text.replace(offsetAtEnd, '')

/**
 * The local text after a change of the input: if the second of two instants was selected, it stays selected while the new local
 * time also exists twice.
 */
export function withInput(text: string, input: string): string {
  const [offset] = offsetAtEnd.exec(text) ?? []
  const moment = offset === undefined ? undefined : momentOf(input + offset)
  return moment !== undefined && localText(moment) === input + offset ? input + offset : input
}

/** Whether clocks change within a day of the instant: only then may a local time exist twice or not at all. */
export function isNearClockChange(moment: Date): boolean {
  const [before, after] = [-dayMs, dayMs].map((distance) =>
    new Date(moment.getTime() + distance).getTimezoneOffset(),
  )
  return before !== after
}

/** Formats minutes east of UTC as `+05:30`. */
function offsetText(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const distance = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`
}
