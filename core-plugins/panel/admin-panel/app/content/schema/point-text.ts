import type { PointValue } from './points.ts'

/** `47.3769, 8.5417`; empty for what is no point. */
export function pointText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const { lat, lng } = value as Partial<PointValue>
  return `${lat ?? '–'}, ${lng ?? '–'}`
}
