import type { ColumnKind, JsonType } from '../../../foundation/database/database.ts'
import {
  type ComparisonName,
  holdsComponents,
  isReference,
  isToMany,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { ColumnField, EntryModel, InverseField, LinkField } from '../entry/entry-model.ts'
import { type BoundRestriction, shapeOfRestriction } from './bound-restriction.ts'
import type { Centre, Edge } from './place.ts'

/** A field that refers to other entries. */
export type ReferenceField = ColumnField | LinkField | InverseField

/**
 * A filter, checked against the schema. It holds slots instead of values, so that filters that differ only in values share one
 * prepared statement. Every condition is true or false, never unknown: nothing equals null.
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
      /** Where the value is in the JSON document of the field's column; undefined: the column holds it. */
      readonly at?: { readonly path: Path; readonly as: JsonType }
    }
  | PlaceCondition
  | { readonly kind: 'null'; readonly field: ReferenceField; readonly at?: Path }
  /** A condition on metadata that a plugin keeps about the entry; see `MetaSelection`. */
  | {
      readonly kind: 'meta'
      readonly name: string
      readonly model: EntryModel
      readonly bound: BoundRestriction
    }
  /** True if an entry that the field refers to, and that the caller may see, satisfies `condition`. */
  | {
      readonly kind: 'related'
      readonly field: ReferenceField
      readonly at?: Path
      readonly condition: Condition
    }
  /** The component in a field, or some item in a list of them, satisfies `condition`. */
  | {
      readonly kind: 'items'
      readonly field: ColumnField
      readonly isList: boolean
      /** Undefined: the column holds it. */
      readonly at?: Path
      /** Set for the blocks of a zone: the path to the component name in a block, and the slot of the wanted name. */
      readonly component?: { readonly path: Path; readonly uid: string }
      readonly condition: Condition
    }

/** Whether a field holds a list of components. An empty list counts as null, whether it is stored as an empty array or not. */
export function holdsItems({ attribute }: ReferenceField): boolean {
  return holdsComponents(attribute) && (attribute.type !== 'component' || attribute.repeatable)
}

/** The slot of a path in a JSON document; see `JsonDialect`. */
type Path = string

/** A point is in an area. All members are slots; see `place.ts`. */
export interface PlaceCondition {
  readonly kind: 'place'
  readonly field: ColumnField
  readonly area: {
    /** The lowest and highest stored point in the range of the index that contains the area. */
    readonly range: readonly [lowest: string, highest: string]
    readonly south: string
    readonly north: string
    readonly longitudes: readonly string[]
    readonly circle?: { readonly centre: BoundCentre; readonly haversine: string }
    /** The edges of a polygon. */
    readonly edges?: readonly BoundEdge[]
  }
  /** Where the degrees are in the JSON document of the field's column; undefined: the column holds the point. */
  readonly at?: { readonly lat: Path; readonly lng: Path }
}

export type BoundCentre = Readonly<Record<keyof Centre, string>>

export type BoundEdge = Readonly<Record<keyof Edge, string>>

/** Used instead of a column name when the document is the item of a list being tested. */
export const itemColumn = ''

/** The values of a query, by the name of their placeholder. */
export class Slots {
  readonly values: {
    readonly name: string
    readonly kind: ColumnKind
    readonly value: unknown
    /** A single value, the array operand of `in`, or keys that lead into a JSON document. */
    readonly form: 'value' | 'list' | 'path'
  }[] = []

  /** Returns the name under which the value is bound. */
  add(kind: ColumnKind, value: unknown): string {
    return this.push(kind, value, 'value')
  }

  /** Like `add`, for the array operand of `in`. */
  addList(kind: ColumnKind, values: readonly unknown[]): string {
    return this.push(kind, values, 'list')
  }

  /** The keys that lead to a value in a JSON document. */
  addPath(keys: readonly string[]): string {
    return this.push('string', keys, 'path')
  }

  private push(kind: ColumnKind, value: unknown, form: 'value' | 'list' | 'path'): string {
    const name = `v${this.values.length}`
    this.values.push({ name, kind, value, form })
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
    case 'items':
      return 6 + 2 * heightOf(condition.condition)
    case 'compare':
      return condition.at === undefined ? 2 : 8
    case 'place':
      return 16 + (condition.area.edges?.length ?? 0)
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
      return `${placeShape(condition.field, condition.at?.path)} ${condition.at?.as ?? ''} ${condition.field.kind} ${condition.comparison} ${condition.slots.join(',')}`
    case 'place':
      return `${placeShape(condition.field, condition.at?.lat)} ${placeSlots(condition).join(',')}`
    case 'null':
      return `${placeShape(condition.field, condition.at)} null`
    case 'meta':
      return `meta ${condition.name} ${shapeOfRestriction(condition.bound)}`
    case 'related':
      return `${placeShape(condition.field, condition.at)}(${shapeOf(condition.condition)})`
    case 'items':
      return `${placeShape(condition.field, condition.at)}[${condition.isList} ${condition.component?.uid ?? ''}](${shapeOf(condition.condition)})`
  }
}

/** All slots of an area; they distinguish the shapes of conditions. */
function placeSlots({ area }: PlaceCondition): string[] {
  const { range, south, north, longitudes, circle, edges = [] } = area
  const round = circle === undefined ? [] : ['near', ...Object.values(circle.centre), circle.haversine]
  return [...range, south, north, ...longitudes, ...round, ...edges.flatMap((edge) => Object.values(edge))]
}

/**
 * The field of the column. For values inside its JSON, the keys are bound as values, so the shape only adds what the value refers
 * to.
 */
function placeShape(field: ReferenceField, path: string | undefined): string {
  if (path === undefined) return field.name
  const { attribute } = field
  const reference = isReference(attribute) ? `>${targetNameOf(attribute)} ${isToMany(attribute)}` : ''
  const column = 'column' in field && field.column === itemColumn ? '*' : field.name
  return `${column}.${path}${reference}`
}
