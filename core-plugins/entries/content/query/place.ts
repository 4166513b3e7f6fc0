import { encodeSteps, stepsOf, stepsPerDegree } from '../../../foundation/database/database.ts'

/*
 * Areas on Earth in numbers that SQL and JavaScript compare with points in the same way. Latitudes and longitudes are in the
 * steps in which points are stored; see `Point`.
 */

/** Half the angle of one step in radians, as haversines need it. */
export const halfStep = Math.PI / 360 / stepsPerDegree
export const fullTurn = 360 * stepsPerDegree

/** The mean radius in metres. */
const earthRadius = 6_371_008.8
const pole = 90 * stepsPerDegree
const antimeridian = 180 * stepsPerDegree

/** The bounding box of an area: between two latitudes, and between the longitudes of one of two ranges. */
export interface Box {
  readonly south: number
  readonly north: number
  /** The second range is empty unless the box crosses the antimeridian. */
  readonly longitudes: readonly [west: number, east: number, west: number, east: number]
}

/** All points within a distance of a centre. */
export interface Circle {
  readonly centre: Centre
  /** The haversine of the distance; it grows with the distance. */
  readonly haversine: number
}

/** The point that distances are measured from. */
export interface Centre {
  readonly lat: number
  readonly lng: number
  /** The cosine of the latitude. */
  readonly cosine: number
}

/** An edge of a polygon, from its southern end to its northern one. */
export interface Edge {
  readonly south: number
  readonly north: number
  /** The longitude of the southern end, counted from the western border of the polygon's box. */
  readonly longitude: number
  /** Degrees of longitude per degree of latitude. */
  readonly slope: number
}

/** The lowest and highest index value of points in a box. */
export function indexRange({ south, north }: Box): [lowest: string, highest: string] {
  return [encodeSteps(south, -antimeridian), encodeSteps(north, antimeridian)]
}

/** A centre from degrees. */
export function centreAt(lat: number, lng: number): Centre {
  return { lat: stepsOf(lat), lng: stepsOf(lng), cosine: Math.cos(stepsOf(lat) * 2 * halfStep) }
}

/** The haversine of the distance of a point, in steps, from a centre. */
export function haversineFrom(centre: Centre, lat: number, lng: number): number {
  return (
    Math.sin((lat - centre.lat) * halfStep) ** 2 +
    centre.cosine * Math.cos(lat * 2 * halfStep) * Math.sin((lng - centre.lng) * halfStep) ** 2
  )
}

/** A circle, and the box around it. */
export function circleAround(lat: number, lng: number, metres: number): { box: Box; circle: Circle } {
  const angle = Math.min(metres / earthRadius, Math.PI)
  const circle = { centre: centreAt(lat, lng), haversine: Math.sin(angle / 2) ** 2 }
  const degrees = (angle * 180) / Math.PI
  // A step more than needed, so that rounding cuts nothing off.
  const south = stepsOf(lat - degrees) - 1
  const north = stepsOf(lat + degrees) + 1
  const box = { south: Math.max(south, -pole), north: Math.min(north, pole) }
  if (south <= -pole || north >= pole) return { circle, box: { ...box, longitudes: everywhere } }
  const widest = Math.asin(Math.min(1, Math.sin(angle) / circle.centre.cosine)) * (180 / Math.PI)
  const reach = stepsOf(widest) + 1
  return {
    circle,
    box: { ...box, longitudes: longitudesBetween(circle.centre.lng - reach, circle.centre.lng + reach) },
  }
}

/** A box between two corners in degrees, eastwards from the first one. */
export function boxBetween(south: number, west: number, north: number, east: number): Box {
  const from = stepsOf(west)
  const to = stepsOf(east)
  const longitudes = longitudesBetween(from, to < from ? to + fullTurn : to)
  return { south: stepsOf(south), north: stepsOf(north), longitudes }
}

/**
 * A polygon on the map, whose edges are straight and take the shorter way round; undefined if it encloses a pole. Corners are in
 * degrees.
 */
export function polygonOf(
  corners: readonly (readonly [lat: number, lng: number])[],
): { box: Box; edges: readonly Edge[] } | undefined {
  const path = unwrapped(corners)
  if (path === undefined) return undefined
  const latitudes = path.map(({ lat }) => lat)
  const longitudes = path.map(({ lng }) => lng)
  // Moved by whole turns so that the western border is a valid longitude.
  const turns = Math.floor((Math.min(...longitudes) + antimeridian) / fullTurn) * fullTurn
  const west = Math.min(...longitudes) - turns
  const east = Math.max(...longitudes) - turns
  const edges = path.map(({ lat, lng }, index) => {
    const other = path[(index + 1) % path.length] ?? { lat, lng }
    const [low, high] = lat <= other.lat ? [{ lat, lng }, other] : [other, { lat, lng }]
    const slope = high.lat === low.lat ? 0 : (high.lng - low.lng) / (high.lat - low.lat)
    return { south: low.lat, north: high.lat, longitude: low.lng - turns - west, slope }
  })
  const box = { south: Math.min(...latitudes), north: Math.max(...latitudes) }
  return { box: { ...box, longitudes: longitudesBetween(west, east) }, edges }
}

/**
 * The corners in steps, with longitudes that continue beyond the antimeridian; undefined if the path does not return to its
 * start.
 */
function unwrapped(corners: readonly (readonly [number, number])[]) {
  const path: { lat: number; lng: number }[] = []
  for (const [lat, lng] of [...corners, ...corners.slice(0, 1)]) {
    const last = path.at(-1)?.lng ?? stepsOf(lng)
    path.push({ lat: stepsOf(lat), lng: stepsOf(lng) + nearestTurn(last - stepsOf(lng)) })
  }
  const end = path.pop()
  return end?.lng === path[0]?.lng ? path : undefined
}

/** The nearest multiple of a full turn. */
function nearestTurn(steps: number): number {
  return Math.round(steps / fullTurn) * fullTurn
}

const everywhere = [-antimeridian, antimeridian, 1, 0] as const

/** The ranges from a western longitude to an eastern one, which may be beyond the antimeridian. 180 and -180 are the same. */
function longitudesBetween(west: number, east: number): Box['longitudes'] {
  if (east - west >= fullTurn) return everywhere
  if (west < -antimeridian) return [west + fullTurn, antimeridian, -antimeridian, east]
  if (east > antimeridian) return [west, antimeridian, -antimeridian, east - fullTurn]
  if (west === -antimeridian) return [west, east, antimeridian, antimeridian]
  if (east === antimeridian) return [west, east, -antimeridian, -antimeridian]
  return [west, east, 1, 0]
}
