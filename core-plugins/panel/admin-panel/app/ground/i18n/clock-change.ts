import { parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'

/** What a change of clocks makes of a local time. */
export type ClockChange =
  | { readonly kind: 'skipped' }
  | { readonly kind: 'repeated'; readonly first: Date; readonly second: Date }

/** Undefined for a local time that exists once, as nearly all do, and for a text that is none. */
export function clockChangeAt(input: string, timeZone: string): ClockChange | undefined {
  const local = readLocal(input)
  if (local === undefined) return undefined
  const first = toZoned(local, timeZone, 'earlier')
  if (toCalendarDateTime(first).compare(local) !== 0) return { kind: 'skipped' }
  const second = toZoned(local, timeZone, 'later')
  return first.compare(second) === 0
    ? undefined
    : { kind: 'repeated', first: first.toDate(), second: second.toDate() }
}

/** Addresses of lists bring texts that no input has written, such as of the 31st of February. */
function readLocal(input: string) {
  try {
    return parseDateTime(input)
  } catch {
    return undefined
  }
}
