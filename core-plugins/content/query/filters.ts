import type { ErrorDetail } from '../../http/http.ts'
import {
  type ComparisonName,
  type FilterOperator,
  filterOperators,
  holdsComponents,
  isComparison,
  isReference,
  operatorNamed,
  type ParsedValue,
  targetNameOf,
} from '../../schemas/schemas.ts'
import type { ColumnField, EntryModel } from '../entry-model.ts'
import { type Condition, heightOf, type ReferenceField, type Slots } from './condition.ts'
import { parseBoolean, parseFilterValue, parseText } from './filter-value.ts'
import { parseMetaFilter } from './meta-filter.ts'
import type { MetaSelections } from './meta-selections.ts'

const fieldAliases: Readonly<Record<string, string>> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  publishedAt: 'published_at',
}

const maxListItems = 1_000
const maxDepth = 10
/** The limit of groups and comparisons in one filter. */
const maxConditions = 2_000
/** SQLite limits expressions to 1,000 levels; the rest of the statement needs some of them. */
const maxHeight = 900

/** The field's actual name, given an alias (`createdAt`). */
export function canonicalFieldName(name: string): string {
  return Object.hasOwn(fieldAliases, name) ? (fieldAliases[name] as string) : name
}

export interface FilterContext {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly slots: Slots
  readonly problems: ErrorDetail[]
  /** Collects the name of every type that the filter reads, besides its own. */
  readonly lookedInto: Set<string>
  /** What filters may name besides fields, by name. */
  readonly selections?: MetaSelections | undefined
}

/**
 * Checks the `filters` of a query against a type. Problems go to `deps`; the result is valid only if there
 * are none.
 */
export function parseFilters(filters: unknown, model: EntryModel, deps: FilterContext): Condition {
  const condition = parseGroup(filters, {
    model,
    path: 'filters',
    depth: 0,
    count: { conditions: 0 },
    ...deps,
  })
  if (heightOf(condition) > maxHeight) deps.problems.push(tooMany(maxHeight))
  return condition
}

interface Place extends FilterContext {
  readonly model: EntryModel
  /** For messages. */
  readonly path: string
  /** Shared by the whole filter. */
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

/** Reported once; the rest of the filter is then skipped. */
function isTooMuch({ count, problems }: Place): boolean {
  count.conditions++
  if (count.conditions === maxConditions + 1) problems.push(tooMany(maxConditions))
  return count.conditions > maxConditions
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object whose members are combined with AND: `$and`, `$or`, `$not`, fields. */
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
  if (key.startsWith('$')) return refuse(place, 'operator', `${key} is not allowed here; name a field first`)
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
  const selection = field === undefined ? place.selections?.named(name) : undefined
  if (selection !== undefined) return parseMetaFilter(selection, value, place)
  if (field === undefined) {
    return refuse(place, 'unknown', `${place.model.type.name} has no field ${name} to filter by`)
  }
  if (isReference(field.attribute)) return parseReference(field, targetNameOf(field.attribute), value, place)
  return parseOperators(field as ColumnField, value, place)
}

/** By id (`filters[owner]=7`, `filters[owner][$in]=7,8`) or by the attributes of the referenced entry. */
function parseReference(field: ReferenceField, targetName: string, value: unknown, place: Place): Condition {
  const target = place.models.get(targetName)
  if (target === undefined) throw new Error(`no content type ${targetName}`)
  // Whether a related entry exists also reveals something about its type.
  place.lookedInto.add(targetName)
  const id = target.columns.get('id') as ColumnField
  if (!isObject(value)) return related(field, parseOperators(id, value, place))
  const aboutTheField: Condition[] = []
  // Combined in one condition, so that a single related entry has to satisfy all of them.
  const aboutTheTarget: Condition[] = []
  for (const [key, member] of Object.entries(value)) {
    const here = inside(place, key)
    if (key === '$null' || key === '$notNull') aboutTheField.push(parseNull(field, key, member, here))
    else if (key === '$not') aboutTheField.push(negate(parseReference(field, targetName, member, here)))
    else if (oppositeNamed(key) !== undefined) {
      aboutTheField.push(negate(related(field, parseOperator(id, oppositeNamed(key) ?? key, member, here))))
    } else if (operatorNamed(key) !== undefined) aboutTheTarget.push(parseOperator(id, key, member, here))
    else aboutTheTarget.push(parseMember(key, member, { ...here, model: target, selections: undefined }))
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
  const opposite = oppositeNamed(operator)
  if (opposite !== undefined) return negate(parseOperator(field, opposite, operand, place))
  const comparison = operatorNamed(operator)
  if (comparison === undefined || !isComparison(comparison)) {
    return refuse(place, 'operator', `unknown operator ${operator}`)
  }
  return takes(field, comparison)
    ? parseComparison(field, comparison, operand, place)
    : refuse(place, 'operator', misfit(field, comparison))
}

/** The operator that is the exact negation of this one. */
function oppositeNamed(operator: string): string | undefined {
  const name = operatorNamed(operator)
  const found: FilterOperator | undefined = name && filterOperators[name]
  return found !== undefined && 'oppositeOf' in found ? found.oppositeOf : undefined
}

/**
 * Whether a field supports a comparison: decided by its field type or, for system fields, by the kind of its
 * column.
 */
function takes({ kind, attribute }: ColumnField, comparison: ComparisonName): boolean {
  const isAboutText = filterOperators[comparison].question === 'text'
  // JSON supports no comparison; the check of the value reports that.
  if (kind === 'json') return !isAboutText
  if (attribute === undefined || isReference(attribute) || holdsComponents(attribute)) {
    return !isAboutText || kind === 'string' || kind === 'text'
  }
  const { operators, alsoTaken = [] } = attribute.definition.filter
  return operators.includes(comparison) || alsoTaken.includes(comparison)
}

function misfit({ name, kind, attribute }: ColumnField, comparison: ComparisonName): string {
  const isOfType = `${name} is of type ${attribute?.type ?? kind}`
  const isAboutText = filterOperators[comparison].question === 'text'
  return isAboutText ? `works on text; ${isOfType}` : `is not supported here; ${isOfType}`
}

function parseNull(field: ReferenceField, operator: string, operand: unknown, place: Place): Condition {
  const parsed = parseBoolean(typeof operand === 'boolean' ? String(operand) : operand)
  if ('problem' in parsed) return refuse(place, 'type', parsed.problem)
  const condition: Condition = { kind: 'null', field }
  return parsed.value === (operator === '$null') ? condition : negate(condition)
}

function parseComparison(
  field: ColumnField,
  comparison: ComparisonName,
  operand: unknown,
  place: Place,
): Condition {
  const { argument } = filterOperators[comparison]
  if (argument === 'values') {
    const values = parseList(field, operand, place)
    return { kind: 'compare', field, comparison, slots: [place.slots.addList(field.kind, values)] }
  }
  const operands = argument === 'pair' ? listOf(operand) : [operand]
  if (argument === 'pair' && operands.length !== 2) {
    return refuse(place, 'type', 'needs two values, the lower one first')
  }
  // The operand of a substring comparison need not be a complete value of the field.
  const parse = argument === 'text' ? parsePart : parseFilterValue
  const slots = operands.map((item) => place.slots.add(field.kind, fittingValue(parse(field, item), place)))
  return { kind: 'compare', field, comparison, slots }
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

/** `[$in][]=1&[$in][]=2`, `[$in]=1,2` */
function listOf(operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand
  return typeof operand === 'string' ? operand.split(',') : [operand]
}
