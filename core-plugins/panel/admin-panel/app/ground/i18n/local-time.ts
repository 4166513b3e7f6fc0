/**
 * Moments as `<input type="datetime-local">` writes them, in the time zone of the browser: `2026-10-25T02:30`.
 * When clocks go back, two moments have the same local time: the text of the second one ends with its offset,
 * `2026-10-25T02:30+01:00`, so that it is not taken for the first one. Inputs never see that offset.
 */

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const offsetAtEnd = /[+-]\d\d:\d\d$/

/** A moment as text, to the minute unless it has seconds. */
export function localText(moment: Date): string {
  const offset = -moment.getTimezoneOffset()
  const shifted = new Date(moment.getTime() + offset * minuteMs).toISOString()
  const text = shifted.slice(0, shifted.endsWith(':00.000Z') ? 'YYYY-MM-DDTHH:mm'.length : -1)
  return momentOf(text)?.getTime() === moment.getTime() ? text : text + offsetText(offset)
}

/** A moment as text without its seconds, for what happens at a minute. */
export const minuteText = (moment: Date): string =>
  localText(new Date(Math.floor(moment.getTime() / minuteMs) * minuteMs))

/** The moment of a text; undefined while it is none. Of a local time that does not exist: as late after the change of clocks. */
export function momentOf(text: string): Date | undefined {
  const moment = new Date(text)
  return text === '' || Number.isNaN(moment.getTime()) ? undefined : moment
}

/** The local text of a stored moment; empty where there is none, or what is stored is something else. */
export function localTextOf(stored: string | null | undefined): string {
  const moment = momentOf(stored ?? '')
  return moment === undefined ? '' : localText(moment)
}

/** What of a text an input shows. */
export const inputOf = (text: string): string => text.replace(offsetAtEnd, '')

/** The text after its input was changed: who has taken the second of two moments stays there as long as there are two. */
export function withInput(text: string, input: string): string {
  const [offset] = offsetAtEnd.exec(text) ?? []
  const moment = offset === undefined ? undefined : momentOf(input + offset)
  return moment !== undefined && localText(moment) === input + offset ? input + offset : input
}

/** Whether clocks change within a day: only then may a local time be none, or that of two moments. */
export function isNearClockChange(moment: Date): boolean {
  const [before, after] = [-dayMs, dayMs].map((distance) =>
    new Date(moment.getTime() + distance).getTimezoneOffset(),
  )
  return before !== after
}

/** `+05:30`, of minutes east of Greenwich. */
function offsetText(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const distance = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`
}
