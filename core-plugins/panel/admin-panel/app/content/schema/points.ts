import type { NumberValue } from './numbers.ts'

/** A place as it is entered; the service refuses one that is not whole. */
export interface PointValue {
  readonly lat: NumberValue | null
  readonly lng: NumberValue | null
}

/** The point with one number changed; null where none is left. */
export function withDegrees(
  point: PointValue | null | undefined,
  name: keyof PointValue,
  degrees: NumberValue | null,
): PointValue | null {
  const { lat = null, lng = null } = point ?? {}
  const changed = { lat, lng, [name]: degrees }
  return changed.lat === null && changed.lng === null ? null : changed
}

/** `47.3769, 8.5417`; empty for what is no point. */
export function pointText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const { lat, lng } = value as Partial<PointValue>
  return `${lat ?? '–'}, ${lng ?? '–'}`
}
