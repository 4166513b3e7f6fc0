import { parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'

/** How a local time is affected by a clock change. */
export type ClockChange =
  | { readonly kind: 'skipped' }
  | { readonly kind: 'repeated'; readonly first: Date; readonly second: Date }

/** Undefined for a local time that exists exactly once, as nearly all do, and for text that is not a time. */
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

/** URLs of lists may contain text that no input produces, such as 31 February. */
function readLocal(input: string) {
  try {
    return parseDateTime(input)
  } catch {
    return undefined
  }
}
