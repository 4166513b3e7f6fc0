import type { NumberValue } from './numbers.ts'

/** A point being entered; the service refuses an incomplete one. */
export interface PointValue {
  readonly lat: NumberValue | null
  readonly lng: NumberValue | null
}

/** Changes one coordinate of a point; null if none is left. */
export function withDegrees(
  point: PointValue | null | undefined,
  name: keyof PointValue,
  degrees: NumberValue | null,
): PointValue | null {
  const { lat = null, lng = null } = point ?? {}
  const changed = { lat, lng, [name]: degrees }
  return changed.lat === null && changed.lng === null ? null : changed
}
