import type { PlaceOperatorName } from '../../../foundation/schemas/schemas.ts'
import type { BoundCentre, Condition, PlaceCondition, Slots } from './condition.ts'
import { type ComparedField, listOf, type Place, refuse } from './filter-place.ts'
import {
  type Box,
  boxBetween,
  type Centre,
  type Circle,
  centreAt,
  circleAround,
  type Edge,
  indexRange,
  polygonOf,
} from './place.ts'

/** The limit of corners of a polygon: each edge is evaluated for each entry. */
export const maxCorners = 50

type Area = PlaceCondition['area']

/** `$near` and `$within`. */
export function parsePlace(
  { field, keys }: ComparedField,
  operator: PlaceOperatorName,
  operand: unknown,
  place: Place,
): Condition {
  const area = areaParsers[operator](operand, place.slots)
  if (typeof area === 'string') return refuse(place, 'type', area)
  const { slots } = place
  const at =
    keys === undefined
      ? {}
      : { at: { lat: slots.addPath([...keys, 'lat']), lng: slots.addPath([...keys, 'lng']) } }
  return { kind: 'place', field, area, ...at }
}

/** Returns an area, or the problem with the operand. */
const areaParsers: Readonly<Record<PlaceOperatorName, (operand: unknown, slots: Slots) => Area | string>> = {
  $near: parseCircle,
  $within: parseArea,
}

function parseCircle(operand: unknown, slots: Slots): Area | string {
  const numbers = numbersIn(operand)
  const [lat, lng, metres] = numbers ?? []
  if (numbers?.length !== 3 || lat === undefined || lng === undefined || metres === undefined) {
    return 'needs a latitude, a longitude and a distance in metres, such as 47.3769,8.5417,5000'
  }
  const problem = cornerProblem([lat, lng]) ?? (metres < 0 ? 'needs a distance of 0 or more' : undefined)
  if (problem !== undefined) return problem
  const { box, circle } = circleAround(lat, lng, metres)
  return { ...bindBox(box, slots), circle: bindCircle(circle, slots) }
}

function parseArea(operand: unknown, slots: Slots): Area | string {
  const numbers = numbersIn(operand)
  if (numbers === undefined || numbers.length < 4 || numbers.length % 2 === 1) {
    return 'needs the south-western and the north-eastern corner of a box, such as 45.8,5.9,47.8,10.5, or the corners of a polygon: latitude and longitude of each'
  }
  if (numbers.length > 2 * maxCorners) return `takes at most ${maxCorners} corners`
  const corners = Array.from({ length: numbers.length / 2 }, (_, index): [number, number] => [
    numbers[2 * index] ?? 0,
    numbers[2 * index + 1] ?? 0,
  ])
  const problem = corners.map(cornerProblem).find((each) => each !== undefined)
  if (problem !== undefined) return problem
  const [first, second] = corners
  if (first !== undefined && second !== undefined && corners.length === 2)
    return parseBox(first, second, slots)
  const polygon = polygonOf(corners)
  if (polygon === undefined) return 'must not go round a pole; ask for a box up to the pole instead'
  return { ...bindBox(polygon.box, slots), edges: polygon.edges.map((edge) => bindEdge(edge, slots)) }
}

function parseBox(
  [south, west]: readonly [number, number],
  [north, east]: readonly [number, number],
  slots: Slots,
): Area | string {
  if (south > north) return 'needs the southern corner of a box first'
  return bindBox(boxBetween(south, west, north, east), slots)
}

const numberPattern = /^[+-]?\d{1,12}(\.\d{1,20})?$/

/** The point that sorts measure distances from; undefined if the texts are not valid degrees. */
export function centreIn(lat: string, lng: string): Centre | undefined {
  const [north, east] = numbersIn([lat, lng]) ?? []
  if (north === undefined || east === undefined) return undefined
  return cornerProblem([north, east]) === undefined ? centreAt(north, east) : undefined
}

/** The numbers in a list or comma-separated text; undefined if it contains anything else. */
function numbersIn(operand: unknown): number[] | undefined {
  const items = listOf(operand)
  const numbers = items.map((item) => {
    if (typeof item === 'number') return item
    const text = typeof item === 'string' ? item.trim() : ''
    return numberPattern.test(text) ? Number(text) : Number.NaN
  })
  return numbers.every(Number.isFinite) ? numbers : undefined
}

function cornerProblem([lat, lng]: readonly [number, number]): string | undefined {
  if (Math.abs(lat) > 90) return 'needs latitudes from -90 to 90; they come first'
  return Math.abs(lng) > 180 ? 'needs longitudes from -180 to 180' : undefined
}

function bindBox(box: Box, slots: Slots): Area {
  const bind = (value: number | string) => slots.add('bigint', value)
  const [lowest, highest] = indexRange(box)
  return {
    range: [bind(lowest), bind(highest)],
    south: bind(box.south),
    north: bind(box.north),
    longitudes: box.longitudes.map(bind),
  }
}

function bindCircle({ centre, haversine }: Circle, slots: Slots): NonNullable<Area['circle']> {
  return { centre: bindCentre(centre, slots), haversine: bindDouble(haversine, slots) }
}

/** Binds the values of the point that distances are measured from. */
export function bindCentre({ lat, lng, cosine }: Centre, slots: Slots): BoundCentre {
  return { lat: bindDouble(lat, slots), lng: bindDouble(lng, slots), cosine: bindDouble(cosine, slots) }
}

function bindEdge(
  { south, north, longitude, slope }: Edge,
  slots: Slots,
): NonNullable<Area['edges']>[number] {
  return {
    south: bindDouble(south, slots),
    north: bindDouble(north, slots),
    longitude: bindDouble(longitude, slots),
    slope: bindDouble(slope, slots),
  }
}

function bindDouble(value: number, slots: Slots): string {
  return slots.add('string', String(value))
}
