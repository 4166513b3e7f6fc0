import type { TSchema } from 'typebox'
import { Errors } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { FileProblem } from './file-problem.ts'
import { segmentsOf } from './json-pointer.ts'
import { type Checked, describeShapeError, type ShapeError } from './shape-message.ts'

/** What is wrong with a value by a schema, all of it. */
export function findShapeProblems(
  schema: TSchema,
  value: unknown,
  place: Pick<Checked, 'prefix' | 'uniqueTypes'>,
): FileProblem[] {
  return shapeErrors(schema, value).flatMap((error) => describeShapeError(error, { schema, value, ...place }))
}

/**
 * A copy without whatever the schema refuses, so that the rest can be checked further; undefined where
 * nothing is left that the schema would take.
 */
export function salvage(schema: TSchema, value: unknown): unknown {
  const copy = structuredClone(value)
  for (;;) {
    const error = shapeErrors(schema, copy)[0]
    if (error === undefined) return copy
    const path = segmentsOf(error.instancePath)
    if (path.length === 0) return undefined
    remove(copy, path)
  }
}

/** Without the errors that only repeat, one level up, what an error about the item itself says. */
function shapeErrors(schema: TSchema, value: unknown): ShapeError[] {
  return allErrors(schema, value).filter((error) => error.keyword !== 'additionalProperties')
}

/** TypeBox stops after eight errors unless told otherwise, and it can be told for the whole process only. */
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
