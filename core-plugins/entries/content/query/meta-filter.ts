import type { ErrorDetail } from '../../../foundation/http/http.ts'
import { filterOperators, operatorNamed } from '../../../foundation/schemas/schemas.ts'
import type { Restriction } from '../entry/entry-extensions.ts'
import type { MetaSelection, MetaSelections } from '../entry/entry-meta.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { Condition, Slots } from './condition.ts'
import { parseBoolean } from './filter-value.ts'
import { bindRestriction } from './restriction.ts'

interface Place {
  readonly model: EntryModel
  readonly slots: Slots
  readonly problems: ErrorDetail[]
  readonly path: string
  readonly selections?: MetaSelections | undefined
}

const maxValues = 100

const nothing: Condition = { kind: 'and', conditions: [] }

/** A filter on metadata from a plugin: `$eq`, `$in`, `$null` and their opposites. */
export function parseMetaFilter(selection: MetaSelection, value: unknown, place: Place): Condition {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return havingOneOf(selection, value, place)
  }
  const members = Object.entries(value)
  if (members.length === 0) return refuse(place, 'operator', 'needs an operator such as $eq')
  const conditions = members.map(([key, operand]) =>
    parseOperator(selection, key, operand, { ...place, path: `${place.path}.${key}` }),
  )
  return { kind: 'and', conditions }
}

function parseOperator(selection: MetaSelection, key: string, operand: unknown, place: Place): Condition {
  if (key === '$null' || key === '$notNull') return parseNull(selection, key, operand, place)
  const operator = operatorNamed(key)
  const found = operator && filterOperators[operator]
  const compared = found !== undefined && 'oppositeOf' in found ? found.oppositeOf : operator
  if (compared !== '$eq' && compared !== '$in') {
    return refuse(place, 'operator', `${selection.name} takes $eq, $ne, $in, $notIn, $null and $notNull`)
  }
  const condition = havingOneOf(selection, operand, place)
  return compared === operator ? condition : { kind: 'not', condition }
}

function parseNull(selection: MetaSelection, key: string, operand: unknown, place: Place): Condition {
  const parsed = parseBoolean(operand)
  if ('problem' in parsed) return refuse(place, 'type', parsed.problem)
  const condition = bound(selection, selection.havingNone(place.model.type), place)
  return parsed.value === (key === '$null') ? condition : { kind: 'not', condition }
}

function havingOneOf(selection: MetaSelection, operand: unknown, place: Place): Condition {
  const values =
    typeof operand === 'string' ? operand.split(',') : Array.isArray(operand) ? operand : [operand]
  if (values.length > maxValues) return refuse(place, 'maxItems', `takes at most ${maxValues} values`)
  if (values.some((value) => typeof value === 'object')) return refuse(place, 'type', 'must be text')
  const texts = values.map(String)
  place.selections?.note(selection, texts)
  const found = selection.havingOneOf(place.model.type, texts)
  return 'problem' in found ? refuse(place, 'type', found.problem) : bound(selection, found, place)
}

function bound({ name }: MetaSelection, restriction: Restriction, { model, slots }: Place): Condition {
  return { kind: 'meta', name, model, bound: bindRestriction(restriction, slots) }
}

function refuse({ problems, path }: Place, code: string, message: string): Condition {
  problems.push({ path, code, message })
  return nothing
}
