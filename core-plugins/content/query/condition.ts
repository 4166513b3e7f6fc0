import type { ColumnKind } from '../../database/database.ts'
import type { ComparisonName } from '../../schemas/schemas.ts'
import type { ColumnField, EntryModel, InverseField, LinkField } from '../entry-model.ts'
import { type BoundRestriction, shapeOfRestriction } from './bound-restriction.ts'

/** A field that refers to other entries. */
export type ReferenceField = ColumnField | LinkField | InverseField

/**
 * A filter, checked against the schema. It holds slots instead of values, so that filters that differ only in
 * values share one prepared statement. Every condition is true or false, never unknown: nothing equals null.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare'
      readonly field: ColumnField
      /** Two slots for `$between`, one for all others. */
      readonly comparison: ComparisonName
      readonly slots: readonly string[]
    }
  | { readonly kind: 'null'; readonly field: ReferenceField }
  /** About what a plugin knows of the entry; see `MetaSelection`. */
  | {
      readonly kind: 'meta'
      readonly name: string
      readonly model: EntryModel
      readonly bound: BoundRestriction
    }
  /** Some entry that the field refers to, and that the caller may see, satisfies `condition`. */
  | { readonly kind: 'related'; readonly field: ReferenceField; readonly condition: Condition }

/** The values of a query, by the name of their placeholder. */
export class Slots {
  readonly values: {
    readonly name: string
    readonly kind: ColumnKind
    readonly value: unknown
    readonly isList: boolean
  }[] = []

  /** Returns the name under which the value is bound. */
  add(kind: ColumnKind, value: unknown): string {
    return this.push(kind, value, false)
  }

  /** Like `add`, for the array operand of `in`. */
  addList(kind: ColumnKind, values: readonly unknown[]): string {
    return this.push(kind, values, true)
  }

  private push(kind: ColumnKind, value: unknown, isList: boolean): string {
    const name = `v${this.values.length}`
    this.values.push({ name, kind, value, isList })
    return name
  }
}

/** Estimates the nesting depth of a condition's SQL: databases parse `a or b or c` as `(a or b) or c`. */
export function heightOf(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.length + Math.max(0, ...condition.conditions.map(heightOf))
    case 'not':
      return 2 + heightOf(condition.condition)
    case 'related':
      // Levels of a nested select count for both the select and the outer expression.
      return 2 + 2 * heightOf(condition.condition)
    default:
      return 2
  }
}

/** Equal for conditions that need the same SQL. */
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
    case 'meta':
      return `meta ${condition.name} ${shapeOfRestriction(condition.bound)}`
    case 'related':
      return `${condition.field.name}(${shapeOf(condition.condition)})`
  }
}
