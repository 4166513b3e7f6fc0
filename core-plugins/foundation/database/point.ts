import { DatabaseError } from './database-error.ts'

/** A place on Earth: degrees of WGS 84, north and east positive, to seven digits after the decimal point. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

/** Steps in which a point is stored and compared: ten millionths of a degree, about a centimetre. */
export const stepsPerDegree = 10_000_000

const stepsToPole = 90 * stepsPerDegree
const stepsToAntimeridian = 180 * stepsPerDegree

/**
 * A point is stored as one 64-bit integer: the latitude above the bits of the longitude, both counted from their
 * lowest value, so that an index on it is an index on latitudes.
 */
const longitudeBits = 32n

/**
 * The layout of a stored point, for SQL: a column `>> longitudeBits` is the latitude from the south pole, in steps.
 */
export const pointLayout = {
  latitudeUnit: 2 ** Number(longitudeBits),
  longitudeMask: 2 ** Number(longitudeBits) - 1,
  latitudeOffset: stepsToPole,
  longitudeOffset: stepsToAntimeridian,
} as const

/** Whether a value is a valid point without further members. */
export function isPoint(value: unknown): value is Point {
  if (typeof value !== 'object' || value === null) return false
  const { lat, lng } = value as Partial<Point>
  return isWithin(lat, 90) && isWithin(lng, 180) && Object.keys(value).length === 2
}

function isWithin(degrees: unknown, limit: number): boolean {
  return typeof degrees === 'number' && degrees >= -limit && degrees <= limit
}

/** Converts degrees to the steps in which they are stored. */
export function stepsOf(degrees: number): number {
  return Math.round(degrees * stepsPerDegree)
}

/**
 * The stored form: the digits of an integer, which sorts by latitude first.
 * @throws DatabaseError
 */
export function encodePoint(value: unknown): string {
  if (!isPoint(value)) throw new DatabaseError('other', `${JSON.stringify(value)} is not a point`)
  return encodeSteps(stepsOf(value.lat), stepsOf(value.lng))
}

/** The stored form of a latitude and a longitude in steps. */
export function encodeSteps(latitude: number, longitude: number): string {
  const high = BigInt(latitude + stepsToPole)
  return String((high << longitudeBits) + BigInt(longitude + stepsToAntimeridian))
}

/** The point that is stored as an integer. */
export function decodePoint(stored: unknown): Point {
  const digits = BigInt(stored as string | number)
  const lat = Number(digits >> longitudeBits) - stepsToPole
  const lng = Number(digits & BigInt(pointLayout.longitudeMask)) - stepsToAntimeridian
  return { lat: lat / stepsPerDegree, lng: lng / stepsPerDegree }
}
