import type { ErrorDetail } from '../../../foundation/http/http.ts'
import { filterOperators } from '../../../foundation/schemas/schemas.ts'
import { maxQueryWeight } from '../settings.ts'
import type { Condition, PlaceCondition, ReferenceField } from './condition.ts'
import type { InnerField } from './inner-field.ts'
import type { PopulateTree } from './populate.ts'
import type { SortKey } from './sort.ts'

/** The cost of reading a text relative to comparing a value; paid for each entry, since no index helps. */
const readingWeight = { string: 2, text: 8 } as const
/** The cost of parsing a JSON document, for each entry. */
const readingJson = 6
/** The cost of searching another table. */
const toOneWeight = 2
const toManyWeight = 4

/**
 * Statements of this weight or more are costly (see `StatementOptions`): tens of milliseconds for 10,000
 * entries.
 */
const costlyWeight = 12

/** Whether selecting entries by a condition, in an order, may take the database a long time. */
export function isCostlyPick(condition: Condition | undefined, sort: readonly SortKey[] = []): boolean {
  return weightOf(condition) + weightOfSort(sort) >= costlyWeight
}

/**
 * Indexes do not order long texts, which have to be held in memory to be compared, nor values in other tables: metadata from
 * plugins and fields of related entries. Distances have to be computed.
 */
function weightOfSort(sort: readonly SortKey[]): number {
  const isUnordered = sort.some(
    ({ field, expression, through, centre }) =>
      field.kind === 'text' || (expression ?? through ?? centre) !== undefined,
  )
  return isUnordered ? costlyWeight : 0
}

/** Estimates the cost of a condition for the database, in value comparisons. */
export function weightOf(condition: Condition | undefined): number {
  if (condition === undefined) return 0
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.reduce((sum, each) => sum + weightOf(each), 0)
    case 'not':
      return weightOf(condition.condition)
    case 'null':
      return ('column' in condition.field ? 1 : toManyWeight) + (condition.at === undefined ? 0 : readingJson)
    // Looked up in another table, for each entry if it concerns most of them.
    case 'meta':
      return costlyWeight
    case 'related':
      return (
        relationWeight(condition.field) +
        (condition.at === undefined ? 0 : readingJson) +
        weightOf(condition.condition)
      )
    case 'items':
      return readingJson + weightOf(condition.condition)
    case 'compare':
      return comparisonWeight(condition)
    case 'place':
      return placeWeight(condition)
  }
}

/** The cost of reading the values of a field, for each entry. */
export function weightOfInner({ steps, leaf }: InnerField): number {
  const places = steps.map((step) => (step.kind === 'items' ? step.list : step.found))
  const inJson = [...places, leaf].filter(({ keys }) => keys !== undefined).length
  const related = steps.flatMap((step) => (step.kind === 'related' ? relationWeight(step.found.field) : []))
  return inJson * readingJson + related.reduce((sum, weight) => sum + weight, 0)
}

/** The total weight of the conditions on populated entries. */
export function weightOfPicked(tree: PopulateTree): number {
  let weight = 0
  for (const { picked, inside, byComponent } of tree.values()) {
    weight += weightOf(picked?.condition) + weightOfPicked(inside)
    for (const each of byComponent?.values() ?? []) weight += weightOfPicked(each)
  }
  return weight
}

function relationWeight(field: ReferenceField): number {
  return 'column' in field ? toOneWeight : toManyWeight
}

function comparisonWeight({ field, comparison, at }: Extract<Condition, { kind: 'compare' }>): number {
  const { readings } = filterOperators[comparison]
  const finding = at === undefined ? 0 : readingJson
  return (
    finding +
    (readings === 0 ? 1 : readings * (field.kind === 'text' ? readingWeight.text : readingWeight.string))
  )
}

/** Distances are computed only for points within the bounding box, which an index may find. */
function placeWeight({ area, at }: PlaceCondition): number {
  const finding = at === undefined ? 0 : 2 * readingJson
  return finding + (area.circle === undefined ? 2 : 4) + (area.edges?.length ?? 0)
}

/**
 * The problem of a query whose conditions weigh too much. The message also suits callers that name the parts differently, such as
 * GraphQL.
 */
export function tooHeavy(weight: number, limit: number): ErrorDetail {
  const much = `the conditions have a total weight of ${weight}, and the limit is ${limit} (${maxQueryWeight.key})`
  const remedy = 'use fewer conditions, especially on texts and relations'
  return { path: 'filters', code: 'maxWeight', message: `${much}; ${remedy}` }
}
