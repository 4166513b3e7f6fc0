/** `YYYY-MM-DD`, of a day that there is. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  // JavaScript takes 31 February for a day in March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** ISO 8601 with a time and an offset or `Z`. */
export function isInstant(text: string): boolean {
  const [, date] =
    /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.exec(text) ?? []
  return date !== undefined && isDate(date) && !Number.isNaN(Date.parse(text))
}

/** Something before and something dotted after one `@`, without spaces. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
}
