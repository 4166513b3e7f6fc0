import type { PointValue } from './points.ts'

/** Formats a point as `47.3769, 8.5417`; '' if the value is not a point. */
export function pointText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const { lat, lng } = value as Partial<PointValue>
  return `${lat ?? '–'}, ${lng ?? '–'}`
}
