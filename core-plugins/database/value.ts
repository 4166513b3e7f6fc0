import { DatabaseError } from './database.ts'

const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** `2026-01-31T08:00:00.000Z` of any ISO 8601 moment or Date. @throws DatabaseError */
export function isoMoment(value: unknown): string {
  if (typeof value === 'string' && isoPattern.test(value)) return value
  const date = new Date(value as string | number | Date)
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  if (!isoPattern.test(text)) throw new DatabaseError('other', `${JSON.stringify(value)} is not a moment`)
  return text
}
