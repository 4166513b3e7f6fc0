import type { ColumnKind } from '../../database/database.ts'
import type { ColumnField, InverseField, LinkField } from '../entry-model.ts'

/** Comparisons of one column with one value, or with two for `between`. */
export type Comparison =
  | 'eq'
  | 'eqi'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'contains'
  | 'containsi'
  | 'startsWith'
  | 'startsWithi'
  | 'endsWith'
  | 'endsWithi'
  | 'between'
  | 'in'

/** A field that leads to other entries. */
export type ReferenceField = ColumnField | LinkField | InverseField

/**
 * A filter, checked against the schema. Values are not in it but in slots, so that filters which differ in
 * values only share one prepared statement. Every condition is true or false, never unknown: null equals nothing.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare'
      readonly field: ColumnField
      readonly comparison: Comparison
      readonly slots: readonly string[]
    }
  | { readonly kind: 'null'; readonly field: ReferenceField }
  /** Some entry that the field leads to, and that the caller may see, satisfies `condition`. */
  | { readonly kind: 'related'; readonly field: ReferenceField; readonly condition: Condition }

/** The values of a query, by the names of their placeholders. */
export class Slots {
  readonly values: {
    readonly name: string
    readonly kind: ColumnKind
    readonly value: unknown
    readonly isList: boolean
  }[] = []

  /** The name under which the value is bound. */
  add(kind: ColumnKind, value: unknown): string {
    return this.push(kind, value, false)
  }

  /** Like `add`, for an array that `in` looks into. */
  addList(kind: ColumnKind, values: readonly unknown[]): string {
    return this.push(kind, values, true)
  }

  private push(kind: ColumnKind, value: unknown, isList: boolean): string {
    const name = `v${this.values.length}`
    this.values.push({ name, kind, value, isList })
    return name
  }
}

/** About how many levels the SQL of a condition has: databases read `a or b or c` as `(a or b) or c`. */
export function heightOf(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.length + Math.max(0, ...condition.conditions.map(heightOf))
    case 'not':
      return 2 + heightOf(condition.condition)
    case 'related':
      // What stands in a select inside of the condition counts for both.
      return 2 + 2 * heightOf(condition.condition)
    default:
      return 2
  }
}

/** The same text for conditions that need the same SQL. */
export function shapeOf(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `${condition.kind}(${condition.conditions.map(shapeOf).join(',')})`
    case 'not':
      return `not(${shapeOf(condition.condition)})`
    case 'compare':
      return `${condition.field.name} ${condition.comparison} ${condition.slots.join(',')}`
    case 'null':
      return `${condition.field.name} null`
    case 'related':
      return `${condition.field.name}(${shapeOf(condition.condition)})`
  }
}
