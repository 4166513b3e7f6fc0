import type { MediaAttribute, RelationAttribute } from '../../schemas/schemas.ts'
import { targetNameOf } from '../entry-model.ts'
import type { PayloadReport, ValueCheck } from './report.ts'

type Reference = RelationAttribute | MediaAttribute

/** Compiles the check of relations and media: an id, or an array of ids, of which later doubles are dropped. */
export function compileReference(attribute: Reference): ValueCheck {
  const isMany = attribute.type === 'media' ? attribute.multiple : attribute.many
  return isMany
    ? (value, report) => checkIds(value, attribute, report)
    : (value, report) => checkId(value, attribute, report)
}

/** An inverse side holds nothing of its own. */
export function compileInverse(attribute: RelationAttribute): ValueCheck {
  const { target, mappedBy } = attribute
  return (_, report) =>
    report.problem('readOnly', `is read-only here: set "${mappedBy}" of ${target} instead`)
}

function checkIds(value: unknown, attribute: Reference, report: PayloadReport): number[] | undefined {
  if (!Array.isArray(value)) {
    report.problem('type', `must be an array of ids of ${targetNameOf(attribute)}`)
    return undefined
  }
  const ids = new Set<number>()
  for (let index = 0; index < value.length; index++) {
    if (ids.has(value[index])) continue
    report.enter(index)
    const id = checkId(value[index], attribute, report)
    if (id !== undefined) ids.add(id)
    report.leave()
  }
  return [...ids]
}

function checkId(value: unknown, attribute: Reference, report: PayloadReport): number | undefined {
  if (Number.isSafeInteger(value) && (value as number) > 0) {
    report.refer(attribute, value as number)
    return value as number
  }
  const hint = typeof value === 'object' ? ', not an object: send its id alone' : ''
  report.problem('type', `must be the id of a ${targetNameOf(attribute)}, a positive integer${hint}`)
  return undefined
}
