import type { ValueAttributeBase, ValueFieldType } from './field-type.ts'
import type { BuiltInTypes } from './field-types/built-in.ts'
import type { ComponentAttribute } from './field-types/component.ts'
import type { DynamicZoneAttribute } from './field-types/dynamic-zone.ts'
import type { MediaAttribute } from './field-types/media.ts'
import type { RelationAttribute } from './field-types/relation.ts'

/**
 * Represents the names of field types contributed by plugins, which are known only at run time. An
 * attribute's `definition` says whether it is of such a type.
 */
export type ContributedTypeName = '<plugin>.<what>'

/** An attribute of a contributed field type; it also has the options of that type as members. */
export interface ContributedAttribute extends ValueAttributeBase {
  readonly type: ContributedTypeName
  readonly unique: boolean
  readonly default?: unknown
}

type ValueAttributeOf<Type> = Type extends ValueFieldType<infer _, infer Value> ? Value : never

/** An attribute with a value of its own. */
export type ValueAttribute = ValueAttributeOf<BuiltInTypes[keyof BuiltInTypes]> | ContributedAttribute

/** An attribute that refers to entries. */
export type ReferenceAttribute = RelationAttribute | MediaAttribute

/** An attribute that holds items of components. */
export type ComponentsAttribute = ComponentAttribute | DynamicZoneAttribute

/** An attribute of a content type or a component, checked, with every default filled in. */
export type Attribute = ValueAttribute | ReferenceAttribute | ComponentsAttribute

/** Whether an attribute refers to entries of another type. */
export function isReference(attribute: Attribute | undefined): attribute is ReferenceAttribute {
  return attribute?.definition.shape === 'reference'
}

/** Whether an attribute holds items of components. */
export function holdsComponents(attribute: Attribute | undefined): attribute is ComponentsAttribute {
  return attribute?.definition.shape === 'components'
}

/** The uids of the components whose items an attribute may hold; empty for other attributes. */
export function componentsOf(attribute: Attribute | undefined): readonly string[] {
  if (!holdsComponents(attribute)) return []
  return attribute.type === 'component' ? [attribute.component] : attribute.components
}

/** The singular name of the type that an attribute refers to. */
export function targetNameOf(attribute: ReferenceAttribute): string {
  return attribute.type === 'media' ? 'media' : attribute.target
}

/** Whether an attribute is the inverse side of a relation, without a value of its own. */
export function isInverse(attribute: Attribute): attribute is RelationAttribute {
  return attribute.type === 'relation' && attribute.side === 'inverse'
}

/** Whether the value of an attribute is an array of ids. */
export function isToMany(attribute: Attribute): attribute is ReferenceAttribute {
  return attribute.type === 'media' ? attribute.multiple : attribute.type === 'relation' && attribute.many
}

/** True for attributes whose values are in a link table: owned to-many relations, media with `multiple`. */
export function hasLinkTable(attribute: Attribute): attribute is ReferenceAttribute {
  return isToMany(attribute) && !isInverse(attribute)
}

/**
 * Whether an empty value is an empty array. A component with a `min` stays null: an empty array, read and
 * sent back, would have too few items.
 */
export function isList(attribute: Attribute): boolean {
  if (attribute.type === 'component') return attribute.repeatable && (attribute.min ?? 0) === 0
  return attribute.type === 'dynamicZone' || isToMany(attribute)
}
