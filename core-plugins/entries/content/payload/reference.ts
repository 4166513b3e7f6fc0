import {
  isToMany,
  type ReferenceAttribute,
  type RelationAttribute,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import { KeptLink } from './kept-link.ts'
import type { FieldCheck, PayloadReport } from './report.ts'

/** Compiles the check of relations and media: an id, or an array of ids whose duplicates are dropped. */
export function compileReference(attribute: ReferenceAttribute): FieldCheck {
  return isToMany(attribute)
    ? (value, report) => checkIds(value, attribute, report)
    : (value, report) => checkId(value, attribute, report)
}

/** An inverse side stores nothing itself. */
export function compileInverse(attribute: RelationAttribute): FieldCheck {
  const { target, mappedBy } = attribute
  return (_, report) =>
    report.problem('readOnly', `is read-only here: set "${mappedBy}" of ${target} instead`)
}

function checkIds(
  value: unknown,
  attribute: ReferenceAttribute,
  report: PayloadReport,
): number[] | undefined {
  if (!Array.isArray(value)) {
    report.problem('type', `must be an array of ids of ${targetNameOf(attribute)}`)
    return undefined
  }
  const ids = new Set<number>()
  // Positions in messages count only the ids that the client sent.
  let place = 0
  for (const item of value) {
    if (item instanceof KeptLink) {
      ids.add(item.id)
      continue
    }
    report.enter(place++)
    const id = ids.has(item) ? undefined : checkId(item, attribute, report)
    if (id !== undefined) ids.add(id)
    report.leave()
  }
  return [...ids]
}

function checkId(value: unknown, attribute: ReferenceAttribute, report: PayloadReport): number | undefined {
  if (value instanceof KeptLink) return value.id
  if (Number.isSafeInteger(value) && (value as number) > 0) {
    report.refer(attribute, value as number)
    return value as number
  }
  const hint = typeof value === 'object' ? ', not an object: send its id alone' : ''
  report.problem('type', `must be the id of a ${targetNameOf(attribute)}, a positive integer${hint}`)
  return undefined
}
