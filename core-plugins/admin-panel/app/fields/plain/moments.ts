/** A moment as `datetime-local` writes it, in the local time zone, to the minute unless it has seconds. */
export function localOf(moment: string | null | undefined): string {
  const date = new Date(moment ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, local.endsWith(':00.000Z') ? 16 : -1)
}

/** The moment of a local time, in UTC; null if there is none. */
export function momentOf(local: string): string | null {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
