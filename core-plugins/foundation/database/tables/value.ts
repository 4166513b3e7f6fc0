import { DatabaseError } from '../database-error.ts'

const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Converts any ISO 8601 timestamp or Date to `2026-01-31T08:00:00.000Z`. @throws DatabaseError */
export function isoMoment(value: unknown): string {
  if (typeof value === 'string' && isoPattern.test(value)) return value
  const date = new Date(value as string | number | Date)
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  if (!isoPattern.test(text)) throw new DatabaseError('other', `${JSON.stringify(value)} is not a timestamp`)
  return text
}
