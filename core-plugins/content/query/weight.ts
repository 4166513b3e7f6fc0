import type { Comparison, Condition, ReferenceField } from './condition.ts'
import type { PopulateTree } from './populate.ts'
import type { SortKey } from './sort.ts'

const parts: ReadonlySet<Comparison> = new Set(['contains', 'startsWith', 'endsWith'])
const folded: ReadonlySet<Comparison> = new Set(['eqi', 'containsi', 'startsWithi', 'endsWithi'])

/** What looking into a text costs, beside comparing a value: once for each entry, as no index helps. */
const partWeight = { string: 2, text: 8 } as const
const foldingFactor = 2
/** Another table is looked through. */
const toOneWeight = 2
const toManyWeight = 4

/** From here on a statement is costly (see `StatementOptions`): tens of milliseconds for 10,000 entries. */
const costlyWeight = 12

/** Whether picking entries by a condition, in an order, may take the database long. */
export function isCostlyPick(condition: Condition | undefined, sort: readonly SortKey[] = []): boolean {
  return weightOf(condition) + weightOfSort(sort) >= costlyWeight
}

/** No index is in the order of long texts, and all of them have to be held to compare them. */
function weightOfSort(sort: readonly SortKey[]): number {
  return sort.some(({ field }) => field.kind === 'text') ? costlyWeight : 0
}

/** About how dear a condition is to the database, in comparisons of a value. */
export function weightOf(condition: Condition | undefined): number {
  if (condition === undefined) return 0
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.reduce((sum, each) => sum + weightOf(each), 0)
    case 'not':
      return weightOf(condition.condition)
    case 'null':
      return 'column' in condition.field ? 1 : toManyWeight
    case 'related':
      return relationWeight(condition.field) + weightOf(condition.condition)
    case 'compare':
      return comparisonWeight(condition)
  }
}

/** That of all conditions by which what is populated is picked. */
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

function comparisonWeight({ field, comparison }: Extract<Condition, { kind: 'compare' }>): number {
  const perPart = field.kind === 'text' ? partWeight.text : partWeight.string
  if (parts.has(comparison)) return perPart
  return folded.has(comparison) ? perPart * foldingFactor : 1
}
