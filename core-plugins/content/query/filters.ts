import type { ErrorDetail } from '../../http/http.ts'
import { type ColumnField, type EntryModel, isReference, targetNameOf } from '../entry-model.ts'
import { type Comparison, type Condition, heightOf, type ReferenceField, type Slots } from './condition.ts'
import { parseBoolean, parseFilterValue, parseText } from './filter-value.ts'

/** decisions.md, 3: comparisons by the operator that asks for them. */
const comparisons: Readonly<Record<string, Comparison>> = {
  $eq: 'eq',
  $eqi: 'eqi',
  $lt: 'lt',
  $lte: 'lte',
  $gt: 'gt',
  $gte: 'gte',
  $contains: 'contains',
  $containsi: 'containsi',
  $startsWith: 'startsWith',
  $startsWithi: 'startsWithi',
  $endsWith: 'endsWith',
  $endsWithi: 'endsWithi',
  $between: 'between',
  $in: 'in',
}

/** Operators that are the exact opposite of another one: what the one finds, the other leaves out. */
const opposites: Readonly<Record<string, string>> = {
  $ne: '$eq',
  $nei: '$eqi',
  $notIn: '$in',
  $notContains: '$contains',
  $notContainsi: '$containsi',
}

const textOnly: ReadonlySet<Comparison> = new Set([
  'eqi',
  'contains',
  'containsi',
  'startsWith',
  'startsWithi',
  'endsWith',
  'endsWithi',
])

/** Whole values of the field, other than parts of a text. */
const wholeValue: ReadonlySet<Comparison> = new Set(['eq', 'lt', 'lte', 'gt', 'gte', 'between', 'in'])

const fieldAliases: Readonly<Record<string, string>> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  publishedAt: 'published_at',
}

const maxListItems = 1_000
const maxDepth = 10
/** Groups and comparisons of one filter together. */
const maxConditions = 2_000
/** SQLite takes expressions of at most 1,000 levels; what else stands in a statement needs some of them. */
const maxHeight = 900

/** The field's own name for one of its aliases (`createdAt`). */
export function canonicalFieldName(name: string): string {
  return Object.hasOwn(fieldAliases, name) ? (fieldAliases[name] as string) : name
}

export interface FilterScope {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly slots: Slots
  readonly problems: ErrorDetail[]
  /** Gets the name of every type that the filter looks into, besides its own. */
  readonly lookedInto: Set<string>
}

/** Checks the `filters` of a query against a type. Problems go to the scope; the answer counts only without any. */
export function parseFilters(filters: unknown, model: EntryModel, scope: FilterScope): Condition {
  const condition = parseGroup(filters, {
    model,
    path: 'filters',
    depth: 0,
    count: { conditions: 0 },
    ...scope,
  })
  if (heightOf(condition) > maxHeight) scope.problems.push(tooMany(maxHeight))
  return condition
}

interface Place extends FilterScope {
  readonly model: EntryModel
  /** For messages. */
  readonly path: string
  /** Counts up; one for the whole filter. */
  readonly count: { conditions: number }
  readonly depth: number
}

const nothing: Condition = { kind: 'and', conditions: [] }

function inside(place: Place, key: string): Place {
  return { ...place, path: `${place.path}.${key}`, depth: place.depth + 1 }
}

function refuse(place: Place, code: string, message: string): Condition {
  place.problems.push({ path: place.path, code, message })
  return nothing
}

function tooMany(limit: number): ErrorDetail {
  const message = `combines more than ${limit} conditions; compare with several values by $in`
  return { path: 'filters', code: 'maxItems', message }
}

/** Told once, and then nothing more of the filter counts. */
function isTooMuch({ count, problems }: Place): boolean {
  count.conditions++
  if (count.conditions === maxConditions + 1) problems.push(tooMany(maxConditions))
  return count.conditions > maxConditions
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object whose members must all hold: `$and`, `$or`, `$not`, fields. */
function parseGroup(group: unknown, place: Place): Condition {
  if (isTooMuch(place)) return nothing
  if (place.depth > maxDepth)
    return refuse(place, 'depth', `must not be nested deeper than ${maxDepth} levels`)
  if (!isObject(group)) return refuse(place, 'type', 'must name a field, as in filters[title][$eq]=x')
  return all(Object.entries(group).map(([key, value]) => parseMember(key, value, inside(place, key))))
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind: 'and', conditions }
}

function parseMember(key: string, value: unknown, place: Place): Condition {
  if (key === '$and' || key === '$or') return parseGroups(key === '$and' ? 'and' : 'or', value, place)
  if (key === '$not') return { kind: 'not', condition: parseGroup(value, place) }
  if (key.startsWith('$')) return refuse(place, 'operator', `${key} cannot stand here; name a field first`)
  return parseField(canonicalFieldName(key), value, place)
}

function parseGroups(kind: 'and' | 'or', value: unknown, place: Place): Condition {
  const groups = Array.isArray(value) ? value : isObject(value) ? [value] : []
  if (groups.length === 0) return refuse(place, 'type', 'needs a list of filters')
  if (groups.length > maxConditions)
    return refuse(place, 'maxItems', `takes at most ${maxConditions} filters`)
  return { kind, conditions: groups.map((group, index) => parseGroup(group, inside(place, String(index)))) }
}

function parseField(name: string, value: unknown, place: Place): Condition {
  const { columns, links, inverses } = place.model
  const field = columns.get(name) ?? links.get(name) ?? inverses.get(name)
  if (field === undefined) {
    return refuse(place, 'unknown', `${place.model.type.name} has no field ${name} to filter by`)
  }
  if (isReference(field.attribute)) return parseReference(field, targetNameOf(field.attribute), value, place)
  return parseOperators(field as ColumnField, value, place)
}

/** By id (`filters[owner]=7`, `filters[owner][$in]=7,8`) or by the attributes of what it points at. */
function parseReference(field: ReferenceField, targetName: string, value: unknown, place: Place): Condition {
  const target = place.models.get(targetName)
  if (target === undefined) throw new Error(`no content type ${targetName}`)
  // Whether there is a related entry tells of its type, too.
  place.lookedInto.add(targetName)
  const id = target.columns.get('id') as ColumnField
  if (!isObject(value)) return related(field, parseOperators(id, value, place))
  const aboutTheField: Condition[] = []
  // All in one condition, so that it is one related entry that satisfies them together.
  const aboutTheTarget: Condition[] = []
  for (const [key, member] of Object.entries(value)) {
    const here = inside(place, key)
    if (key === '$null' || key === '$notNull') aboutTheField.push(parseNull(field, key, member, here))
    else if (key === '$not') aboutTheField.push(negate(parseReference(field, targetName, member, here)))
    else if (Object.hasOwn(opposites, key)) {
      aboutTheField.push(negate(related(field, parseOperator(id, opposites[key] as string, member, here))))
    } else if (Object.hasOwn(comparisons, key)) aboutTheTarget.push(parseOperator(id, key, member, here))
    else aboutTheTarget.push(parseMember(key, member, { ...here, model: target }))
  }
  if (aboutTheTarget.length > 0) aboutTheField.push(related(field, all(aboutTheTarget)))
  return all(aboutTheField)
}

function related(field: ReferenceField, condition: Condition): Condition {
  return { kind: 'related', field, condition }
}

function negate(condition: Condition): Condition {
  return { kind: 'not', condition }
}

function parseOperators(field: ColumnField, value: unknown, place: Place): Condition {
  if (!isObject(value)) {
    return parseOperator(field, Array.isArray(value) ? '$in' : '$eq', value, place)
  }
  if (Object.keys(value).length === 0) return refuse(place, 'operator', 'needs an operator such as $eq')
  return all(
    Object.entries(value).map(([key, operand]) => parseOperator(field, key, operand, inside(place, key))),
  )
}

function parseOperator(field: ColumnField, operator: string, operand: unknown, place: Place): Condition {
  if (isTooMuch(place)) return nothing
  if (place.depth > maxDepth)
    return refuse(place, 'depth', `must not be nested deeper than ${maxDepth} levels`)
  if (operator === '$not') return negate(parseOperators(field, operand, place))
  if (operator === '$null' || operator === '$notNull') return parseNull(field, operator, operand, place)
  const opposite = Object.hasOwn(opposites, operator) ? opposites[operator] : undefined
  if (opposite !== undefined) return negate(parseOperator(field, opposite, operand, place))
  const comparison = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  if (comparison === undefined) return refuse(place, 'operator', `unknown operator ${operator}`)
  return parseComparison(field, comparison, operand, place)
}

function parseNull(field: ReferenceField, operator: string, operand: unknown, place: Place): Condition {
  const parsed = parseBoolean(typeof operand === 'boolean' ? String(operand) : operand)
  if ('problem' in parsed) return refuse(place, 'type', parsed.problem)
  const condition: Condition = { kind: 'null', field }
  return parsed.value === (operator === '$null') ? condition : negate(condition)
}

function parseComparison(
  field: ColumnField,
  comparison: Comparison,
  operand: unknown,
  place: Place,
): Condition {
  const isText = field.kind === 'string' || field.kind === 'text'
  if (textOnly.has(comparison) && !isText) {
    return refuse(
      place,
      'operator',
      `works on text; ${field.name} is of type ${field.attribute?.type ?? field.kind}`,
    )
  }
  if (comparison === 'in') {
    const values = parseList(field, operand, place)
    return { kind: 'compare', field, comparison, slots: [place.slots.addList(field.kind, values)] }
  }
  const operands = comparison === 'between' ? listOf(operand) : [operand]
  if (comparison === 'between' && operands.length !== 2) {
    return refuse(place, 'type', 'needs two values, the lower one first')
  }
  const slots = operands.map((item) =>
    place.slots.add(field.kind, parseValue(field, comparison, item, place)),
  )
  return { kind: 'compare', field, comparison, slots }
}

function parseValue(field: ColumnField, comparison: Comparison, operand: unknown, place: Place): unknown {
  const parsed =
    wholeValue.has(comparison) || typeof operand !== 'string'
      ? parseFilterValue(field, operand)
      : parseText(operand)
  if ('value' in parsed) return parsed.value
  refuse(place, 'type', parsed.problem)
  return null
}

function parseList(field: ColumnField, operand: unknown, place: Place): unknown[] {
  const items = listOf(operand)
  if (items.length > maxListItems) refuse(place, 'maxItems', `takes at most ${maxListItems} values`)
  return items.map((item) => parseValue(field, 'in', item, place))
}

/** `[$in][]=1&[$in][]=2`, `[$in]=1,2` */
function listOf(operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand
  return typeof operand === 'string' ? operand.split(',') : [operand]
}
