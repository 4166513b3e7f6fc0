import type { TSchema } from 'typebox'
import { Errors } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { FileProblem } from '../files/file-problem.ts'
import { segmentsOf } from '../files/json-pointer.ts'
import { type Checked, describeShapeError, type ShapeError } from './shape-message.ts'

/** All problems of a value according to a schema. */
export function findShapeProblems(
  schema: TSchema,
  value: unknown,
  place: Pick<Checked, 'prefix' | 'uniqueTypes'>,
): FileProblem[] {
  return shapeErrors(schema, value).flatMap((error) => describeShapeError(error, { schema, value, ...place }))
}

/**
 * A copy without the parts that the schema refuses, so that the rest can be checked further; undefined if nothing
 * valid remains.
 */
export function salvage(schema: TSchema, value: unknown): unknown {
  const copy = structuredClone(value)
  for (;;) {
    const places = innermost(shapeErrors(schema, copy).map(({ instancePath }) => instancePath))
    if (places.length === 0) return copy
    if (places.includes('')) return undefined
    for (const place of places) remove(copy, segmentsOf(place))
  }
}

/**
 * The places that contain no other one: their containers may be valid without them. All at once, since files can have
 * thousands; those of an array from its end, because removing an item moves those after it.
 */
function innermost(places: readonly string[]): string[] {
  const outer = new Set(places.flatMap(placesAround))
  const distinct = [...new Set(places)].filter((place) => !outer.has(place))
  return distinct.sort((left, right) => lastIndex(right) - lastIndex(left))
}

function placesAround(place: string): string[] {
  const ends = [...place.matchAll(/\//g)].map(({ index }) => index)
  return ends.map((end) => place.slice(0, end))
}

function lastIndex(place: string): number {
  return Number(/\/(\d+)$/.exec(place)?.[1] ?? -1)
}

/** Without errors that only repeat, one level up, an error about the item itself. */
function shapeErrors(schema: TSchema, value: unknown): ShapeError[] {
  return allErrors(schema, value).filter((error) => error.keyword !== 'additionalProperties')
}

/** All errors of a value. By default TypeBox stops after eight, and the limit can only be set for the whole process. */
function allErrors(schema: TSchema, value: unknown): ShapeError[] {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: 10_000 })
  try {
    return Errors(schema, value)[1] as ShapeError[]
  } finally {
    Settings.Set({ maxErrors })
  }
}

function remove(root: unknown, path: readonly string[]) {
  const parent = path.slice(0, -1).reduce((value, key) => (value as Record<string, unknown>)[key], root)
  const key = path.at(-1) ?? ''
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete (parent as Record<string, unknown>)[key]
}
