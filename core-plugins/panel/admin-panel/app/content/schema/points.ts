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
