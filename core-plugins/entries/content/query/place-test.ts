import { isPoint, stepsOf } from '../../../foundation/database/database.ts'
import type { BoundEdge, PlaceCondition } from './condition.ts'
import { fullTurn, haversineFrom } from './place.ts'

/**
 * Whether a point is in an area, as the database would decide; undefined if it is so close to the border that databases may
 * differ in the last digits.
 */
export function isInArea(
  value: unknown,
  { area }: PlaceCondition,
  slotValue: (slot: string) => unknown,
): boolean | undefined {
  if (value === null) return false
  if (!isPoint(value)) return undefined
  const number = (slot: string) => Number(slotValue(slot))
  const [lat, lng] = [stepsOf(value.lat), stepsOf(value.lng)]
  if (lat < number(area.south) || lat > number(area.north)) return false
  const [from = 0, to = 0, secondFrom = 0, secondTo = 0] = area.longitudes.map(number)
  if (!((lng >= from && lng <= to) || (lng >= secondFrom && lng <= secondTo))) return false
  if (area.circle !== undefined) {
    const { centre, haversine } = area.circle
    const [centreLat, centreLng, cosine] = [number(centre.lat), number(centre.lng), number(centre.cosine)]
    const found = haversineFrom({ lat: centreLat, lng: centreLng, cosine }, lat, lng)
    return isLess(found, number(haversine), number(haversine) * 1e-9 + 1e-18)
  }
  if (area.edges === undefined) return true
  return isInside(area.edges, { lat, lng: eastOf(from, lng) }, number)
}

/** Undefined if the numbers are nearly equal. */
function isLess(left: number, right: number, tolerance: number): boolean | undefined {
  return Math.abs(left - right) <= tolerance ? undefined : left < right
}

function eastOf(west: number, lng: number): number {
  return (((lng - west) % fullTurn) + fullTurn) % fullTurn
}

function isInside(
  edges: readonly BoundEdge[],
  { lat, lng }: { readonly lat: number; readonly lng: number },
  number: (slot: string) => number,
): boolean | undefined {
  let crossings = 0
  for (const edge of edges) {
    const south = number(edge.south)
    if (lat < south || lat >= number(edge.north)) continue
    const isWest = isLess(lng, number(edge.longitude) + (lat - south) * number(edge.slope), 1)
    if (isWest === undefined) return undefined
    if (isWest) crossings++
  }
  return crossings % 2 === 1
}
