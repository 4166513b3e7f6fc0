import type { ErrorDetail } from '../../../foundation/http/http.ts'
import {
  type FilterOperator,
  filterOperators,
  operatorNamed,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'
import type { MetaSelections } from '../entry/entry-meta.ts'
import type { ColumnField, EntryModel } from '../entry/entry-model.ts'
import type { Condition, ReferenceField, Slots } from './condition.ts'
import { parseBoolean } from './filter-value.ts'

export interface FilterContext {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Pick<Schemas, 'components'>
  readonly slots: Slots
  readonly problems: ErrorDetail[]
  /** Collects the name of every type that the filter reads, besides its own. */
  readonly lookedInto: Set<string>
  /** Metadata from plugins that filters may name besides fields, by name. */
  readonly selections?: MetaSelections | undefined
}

/** The position of a part of a filter, and what it may use. */
export interface Place extends FilterContext {
  /** For messages. */
  readonly path: string
  /** Shared by the whole filter. */
  readonly count: { conditions: number }
  readonly depth: number
}

/** A field to filter by. For a value inside JSON, `field` is the column with the document and `keys` lead to the value. */
export interface FilteredField {
  readonly field: ReferenceField
  readonly keys?: readonly string[]
}

/** A field with a value that is compared as a whole. */
export interface ComparedField extends FilteredField {
  readonly field: ColumnField
}

export const maxListItems = 1_000
const maxDepth = 10
/** The limit of groups and comparisons in one filter. */
export const maxConditions = 2_000

export const nothing: Condition = { kind: 'and', conditions: [] }

export function inside<At extends Place>(place: At, key: string): At {
  return { ...place, path: `${place.path}.${key}`, depth: place.depth + 1 }
}

export function refuse(place: Place, code: string, message: string): Condition {
  place.problems.push({ path: place.path, code, message })
  return nothing
}

export function tooMany(limit: number): ErrorDetail {
  const message = `combines more than ${limit} conditions; compare with several values by $in`
  return { path: 'filters', code: 'maxItems', message }
}

/** The condition to use instead if a filter has too many parts or is nested too deep; reported once. */
export function refusedSize(place: Place): Condition | undefined {
  const { count, problems, depth } = place
  count.conditions++
  if (count.conditions === maxConditions + 1) problems.push(tooMany(maxConditions))
  if (count.conditions > maxConditions) return nothing
  return depth > maxDepth
    ? refuse(place, 'depth', `must not be nested deeper than ${maxDepth} levels`)
    : undefined
}

export function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind: 'and', conditions }
}

export function negate(condition: Condition): Condition {
  return { kind: 'not', condition }
}

/** The operator that is the exact negation of the given one, if one exists. */
export function oppositeNamed(operator: string): string | undefined {
  const name = operatorNamed(operator)
  const found: FilterOperator | undefined = name && filterOperators[name]
  return found !== undefined && 'oppositeOf' in found ? found.oppositeOf : undefined
}

export function isPresence(operator: string): boolean {
  return operator === '$null' || operator === '$notNull'
}

/** `$null` and `$notNull` of a field that holds one value. */
export function parseNull(
  { field, keys }: FilteredField,
  operator: string,
  operand: unknown,
  place: Place,
): Condition {
  const isColumn = keys === undefined || keys.length === 0
  const at = isColumn ? {} : { at: place.slots.addPath(keys) }
  return parsePresence(operator, operand, { kind: 'null', field, ...at }, place)
}

/** `$null` and `$notNull` for a field that counts as null under the condition `isNothing`. */
export function parsePresence(
  operator: string,
  operand: unknown,
  isNothing: Condition,
  place: Place,
): Condition {
  const parsed = parseBoolean(operand)
  if ('problem' in parsed) return refuse(place, 'type', parsed.problem)
  return parsed.value === (operator === '$null') ? isNothing : negate(isNothing)
}

/** `[$in][]=1&[$in][]=2`, `[$in]=1,2` */
export function listOf(operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand
  return typeof operand === 'string' ? operand.split(',') : [operand]
}
