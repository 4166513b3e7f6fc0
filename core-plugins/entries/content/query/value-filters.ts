import { isObject } from '../../../../kernel/index.ts'
import type { ColumnKind, JsonType } from '../../../foundation/database/database.ts'
import {
  type ComparisonName,
  filterOperators,
  holdsComponents,
  isComparison,
  isPlaceOperator,
  isReference,
  type OperatorName,
  operatorNamed,
  type ParsedValue,
} from '../../../foundation/schemas/schemas.ts'
import type { ColumnField } from '../entry/entry-model.ts'
import type { Condition } from './condition.ts'
import {
  all,
  type ComparedField,
  inside,
  isPresence,
  listOf,
  maxListItems,
  negate,
  oppositeNamed,
  type Place,
  parseNull,
  refuse,
  refusedSize,
} from './filter-place.ts'
import { parseFilterValue, parseText } from './filter-value.ts'
import { parsePlace } from './place-filters.ts'

/** Conditions on one value: `x`, `[x, y]`, `{ $gt: 1 }`. */
export function parseOperators(compared: ComparedField, value: unknown, place: Place): Condition {
  if (!isObject(value)) {
    return parseOperator(compared, Array.isArray(value) ? '$in' : '$eq', value, place)
  }
  if (Object.keys(value).length === 0) return refuse(place, 'operator', 'needs an operator such as $eq')
  return all(
    Object.entries(value).map(([key, operand]) => parseOperator(compared, key, operand, inside(place, key))),
  )
}

export function parseOperator(
  compared: ComparedField,
  operator: string,
  operand: unknown,
  place: Place,
): Condition {
  const refused = refusedSize(place)
  if (refused !== undefined) return refused
  if (operator === '$not') return negate(parseOperators(compared, operand, place))
  if (isPresence(operator)) return parseNull(compared, operator, operand, place)
  const opposite = oppositeNamed(operator)
  if (opposite !== undefined) return negate(parseOperator(compared, opposite, operand, place))
  const comparison = operatorNamed(operator)
  if (comparison !== undefined && isPlaceOperator(comparison)) {
    return compared.field.kind === 'point' && takes(compared.field, comparison)
      ? parsePlace(compared, comparison, operand, place)
      : refuse(place, 'operator', misfit(compared.field, comparison))
  }
  if (comparison === undefined || !isComparison(comparison)) {
    return refuse(place, 'operator', `unknown operator ${operator}`)
  }
  return takes(compared.field, comparison)
    ? parseComparison(compared, comparison, operand, place)
    : refuse(place, 'operator', misfit(compared.field, comparison))
}

/**
 * Whether a field supports a comparison: decided by its field type or, for system fields, by the kind of its
 * column.
 */
function takes({ kind, attribute }: ColumnField, comparison: OperatorName): boolean {
  const isAboutText = filterOperators[comparison].question === 'text'
  if (attribute === undefined || isReference(attribute) || holdsComponents(attribute)) {
    return !isAboutText || kind === 'string' || kind === 'text'
  }
  const { operators, alsoTaken = [] } = attribute.definition.filter
  return operators.includes(comparison) || alsoTaken.includes(comparison)
}

function misfit({ name, kind, attribute }: ColumnField, comparison: OperatorName): string {
  const isOfType = `${attribute?.name ?? name} is of type ${attribute?.type ?? kind}`
  const { question } = filterOperators[comparison]
  if (question === 'place') return `works on points; ${isOfType}`
  return question === 'text' ? `works on text; ${isOfType}` : `is not supported here; ${isOfType}`
}

function parseComparison(
  { field, keys }: ComparedField,
  comparison: ComparisonName,
  operand: unknown,
  place: Place,
): Condition {
  const { argument } = filterOperators[comparison]
  const { slots } = place
  const kind = keys === undefined ? field.kind : heldKind(field.kind)
  const compared = { kind: 'compare', field: { ...field, kind }, comparison } as const
  const at = keys === undefined ? {} : { at: { path: slots.addPath(keys), as: heldType(field.kind) } }
  if (argument === 'values') {
    return { ...compared, ...at, slots: [slots.addList(kind, parseList(field, operand, place))] }
  }
  const operands = argument === 'pair' ? listOf(operand) : [operand]
  if (argument === 'pair' && operands.length !== 2) {
    return refuse(place, 'type', 'needs two values, the lower one first')
  }
  // The operand of a substring comparison need not be a complete value of the field.
  const parse = argument === 'text' ? parsePart : parseFilterValue
  return {
    ...compared,
    ...at,
    slots: operands.map((item) => slots.add(kind, fittingValue(parse(field, item), place))),
  }
}

/** The JSON types in which components hold values; kinds not listed are texts. */
const jsonTypes: Partial<Record<ColumnKind, JsonType>> = {
  integer: 'integer',
  bigint: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
}

/** The JSON type in which components hold values of a kind. */
export function heldType(kind: ColumnKind): JsonType {
  return jsonTypes[kind] ?? 'text'
}

/** The kind to compare values in JSON as: days and times are texts there, in a form that sorts. */
export function heldKind(kind: ColumnKind): ColumnKind {
  return kind === 'date' || kind === 'datetime' ? 'string' : kind
}

function parsePart(field: ColumnField, operand: unknown): ParsedValue {
  return typeof operand === 'string' ? parseText(operand) : parseFilterValue(field, operand)
}

function fittingValue(parsed: ParsedValue, place: Place): unknown {
  if ('value' in parsed) return parsed.value
  refuse(place, 'type', parsed.problem)
  return null
}

function parseList(field: ColumnField, operand: unknown, place: Place): unknown[] {
  const items = listOf(operand)
  if (items.length > maxListItems) refuse(place, 'maxItems', `takes at most ${maxListItems} values`)
  return items.map((item) => fittingValue(parseFilterValue(field, item), place))
}
