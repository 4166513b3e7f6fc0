import { isObject } from '../../../../kernel/index.ts'
import { isJsonKey } from '../../../foundation/database/database.ts'
import {
  type ComparisonName,
  filterOperators,
  isComparison,
  operatorNamed,
} from '../../../foundation/schemas/schemas.ts'
import type { Condition } from './condition.ts'
import {
  all,
  type ComparedField,
  inside,
  isPresence,
  listOf,
  negate,
  oppositeNamed,
  type Place,
  parseNull,
  refuse,
  refusedSize,
} from './filter-place.ts'
import { parseText } from './filter-value.ts'

/** A place in a JSON document. */
interface JsonField extends ComparedField {
  readonly keys: readonly string[]
}

/** Each item needs a comparison of its own, because their types may differ. */
const maxListItems = 100

/** Conditions on the content of a JSON attribute: operators, groups, and keys that lead to values. */
export function parseJson({ field, keys = [] }: ComparedField, value: unknown, place: Place): Condition {
  return parseValue({ field, keys }, value, place)
}

function parseValue(field: JsonField, value: unknown, place: Place): Condition {
  if (isObject(value)) return parseMembers(field, value, place)
  return parseOperator(field, Array.isArray(value) ? '$in' : '$eq', value, place)
}

function parseMembers(field: JsonField, value: Record<string, unknown>, place: Place): Condition {
  const refused = refusedSize(place)
  if (refused !== undefined) return refused
  const members = Object.entries(value)
  if (members.length === 0) return refuse(place, 'operator', 'needs an operator such as $eq')
  return all(members.map(([key, member]) => parseMember(field, key, member, inside(place, key))))
}

function parseMember(field: JsonField, key: string, value: unknown, place: Place): Condition {
  if (key === '$and' || key === '$or') return parseGroups(field, key === '$and' ? 'and' : 'or', value, place)
  if (key.startsWith('$')) return parseOperator(field, key, value, place)
  if (!isJsonKey(key)) {
    return refuse(place, 'key', 'must not be a number, or have quotes, backslashes or control characters')
  }
  return parseValue({ ...field, keys: [...field.keys, key] }, value, place)
}

function parseGroups(field: JsonField, kind: 'and' | 'or', value: unknown, place: Place): Condition {
  const groups = Array.isArray(value) ? value : [value]
  const conditions = groups.map((group, index) => {
    const here = inside(place, String(index))
    return isObject(group)
      ? parseMembers(field, group, here)
      : refuse(here, 'type', 'must name a key or an operator')
  })
  return { kind, conditions }
}

function parseOperator(field: JsonField, operator: string, operand: unknown, place: Place): Condition {
  const refused = refusedSize(place)
  if (refused !== undefined) return refused
  if (isPresence(operator)) return parseNull(field, operator, operand, place)
  if (operator === '$not') return negate(parseValue(field, operand, place))
  const opposite = oppositeNamed(operator)
  if (opposite !== undefined) return negate(parseOperator(field, opposite, operand, place))
  const comparison = operatorNamed(operator)
  if (comparison === undefined || !isComparison(comparison)) {
    return refuse(place, 'operator', `unknown operator ${operator}`)
  }
  if (filterOperators[comparison].argument !== 'values') {
    return parseComparison(field, comparison, operand, place)
  }
  const items = listOf(operand)
  if (items.length > maxListItems) {
    return refuse(place, 'maxItems', `takes at most ${maxListItems} values in JSON`)
  }
  return { kind: 'or', conditions: items.map((item) => parseComparison(field, '$eq', item, place)) }
}

function parseComparison(
  { field, keys }: JsonField,
  comparison: ComparisonName,
  operand: unknown,
  place: Place,
): Condition {
  const problem = field.shown?.()?.problemAt?.(keys)
  if (problem !== undefined) return refuse(place, 'key', problem)
  const { argument, question } = filterOperators[comparison]
  const raw = argument === 'pair' ? listOf(operand) : [operand]
  if (argument === 'pair' && raw.length !== 2) {
    return refuse(place, 'type', 'needs two values, the lower one first')
  }
  const operands: readonly Operand[] = raw.map(argument === 'text' ? textOperand : operandOf)
  const as = typeOf(operands, place)
  if (as === undefined) return all([])
  if (as === 'boolean' && question === 'order') {
    return refuse(place, 'type', 'compares numbers or texts; true and false have no order')
  }
  const kind = as === 'boolean' ? 'boolean' : 'string'
  return {
    kind: 'compare',
    field: { ...field, kind },
    at: { path: place.slots.addPath(keys), as },
    comparison,
    slots: operands.map((each) => place.slots.add(kind, 'value' in each ? each.value : null)),
  }
}

/** The type that a value is compared as, and the value; numbers in their shortest form. */
type Operand =
  | { readonly as: 'double' | 'text' | 'boolean'; readonly value: unknown }
  | { readonly problem: string }

/** The common type of all operands; reports operands that do not fit. */
function typeOf(operands: readonly Operand[], place: Place): 'double' | 'text' | 'boolean' | undefined {
  const types = new Set<'double' | 'text' | 'boolean'>()
  for (const operand of operands) {
    if ('problem' in operand) {
      refuse(place, 'type', operand.problem)
      return undefined
    }
    types.add(operand.as)
  }
  const [as] = types
  if (types.size === 1) return as
  refuse(place, 'type', 'needs values of one type')
  return undefined
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Text that JSON would read as a number, a boolean or a quoted string is taken as such; anything else is taken literally. */
function operandOf(raw: unknown): Operand {
  if (typeof raw === 'number') return numberOperand(raw)
  if (typeof raw === 'boolean') return { as: 'boolean', value: raw }
  if (typeof raw !== 'string') return { problem: 'needs a single value' }
  if (raw === 'true' || raw === 'false') return { as: 'boolean', value: raw === 'true' }
  if (raw === 'null') return { problem: 'nothing equals null; use $null, or "null" in quotes for the text' }
  if (jsonNumber.test(raw)) return numberOperand(Number(raw))
  return textOperand(quotedIn(raw) ?? raw)
}

function numberOperand(value: number): Operand {
  return Number.isFinite(value)
    ? { as: 'double', value: JSON.stringify(value) }
    : { problem: 'must be within the range of a double' }
}

function textOperand(raw: unknown): Operand {
  if (typeof raw === 'object') return { problem: 'needs a single value' }
  const parsed = parseText(String(raw))
  return 'problem' in parsed ? parsed : { as: 'text', value: parsed.value }
}

/** The text in a quoted JSON string; undefined if it is not one. */
function quotedIn(raw: string): string | undefined {
  if (!raw.startsWith('"')) return undefined
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
