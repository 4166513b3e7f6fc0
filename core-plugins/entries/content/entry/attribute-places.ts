import {
  type Attribute,
  type ComponentType,
  type ContentType,
  componentsOf,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'

/** A place in an entry that holds the value of an attribute. */
export interface AttributePlace<A extends Attribute = Attribute> {
  readonly attribute: A
  readonly value: unknown
  /** As `populate` names it: `blocks.image`. */
  readonly field: string
  /** As problems name it: `blocks.0.image`. */
  readonly path: string
}

/** A component, or an entry, with its values by attribute. */
export type PlaceHolder = Readonly<Record<string, unknown>>

export type PlaceOwner = ContentType | ComponentType

/** Finds where entries hold values of some attributes, also in components and zones. */
export interface AttributePlaces<A extends Attribute = Attribute> {
  /** The attributes of a type or component that match, or that contain matching ones at any depth. */
  fieldsOf(owner: PlaceOwner): readonly Attribute[]
  /** Every such place in an entry, or in the given fields of one, including places without a value. */
  placesIn(type: ContentType, values: PlaceHolder): Generator<AttributePlace<A>>
  /** The items in the value of an attribute with components, each with the declaration of its component if that exists. */
  itemsIn(attribute: Attribute, value: unknown): PlacedItem[]
}

/** An item in a value of an attribute with components. */
export interface PlacedItem {
  readonly item: PlaceHolder
  /** Undefined if its component is not declared. */
  readonly owner: ComponentType | undefined
}

/** The position of a value within an entry. */
type Prefix = Pick<AttributePlace, 'field' | 'path'>

class SchemaAttributePlaces<A extends Attribute> implements AttributePlaces<A> {
  readonly #components: Schemas['components']
  readonly #isNamed: (attribute: Attribute) => attribute is A
  readonly #fieldsByOwner = new Map<PlaceOwner, readonly Attribute[]>()

  constructor({ components }: Schemas, isNamed: (attribute: Attribute) => attribute is A) {
    this.#components = components
    this.#isNamed = isNamed
  }

  fieldsOf(owner: PlaceOwner): readonly Attribute[] {
    const kept = this.#fieldsByOwner.get(owner)
    if (kept !== undefined) return kept
    const fields = [...owner.attributes.values()].filter((attribute) => this.#leads(attribute, new Set()))
    this.#fieldsByOwner.set(owner, fields)
    return fields
  }

  placesIn(type: ContentType, values: PlaceHolder): Generator<AttributePlace<A>> {
    return this.#places(this.fieldsOf(type), values, { field: '', path: '' })
  }

  itemsIn(attribute: Attribute, value: unknown): PlacedItem[] {
    if (typeof value !== 'object' || value === null) return []
    const items: unknown[] = Array.isArray(value) ? value : [value]
    return items.filter(isHolder).map((item) => ({ item, owner: this.#ownerOf(attribute, item) }))
  }

  /** `seen` holds the components being visited, since a component may contain itself. */
  #leads(attribute: Attribute, seen: Set<string>): boolean {
    if (this.#isNamed(attribute)) return true
    return componentsOf(attribute).some((uid) => {
      if (seen.has(uid)) return false
      seen.add(uid)
      const inner = [...(this.#components.get(uid)?.attributes.values() ?? [])]
      return inner.some((each) => this.#leads(each, seen))
    })
  }

  #ownerOf(attribute: Attribute, item: PlaceHolder): ComponentType | undefined {
    const uid = attribute.type === 'component' ? attribute.component : String(item.__component)
    return this.#components.get(uid)
  }

  *#places(fields: readonly Attribute[], item: PlaceHolder, prefix: Prefix): Generator<AttributePlace<A>> {
    for (const attribute of fields) {
      const { name } = attribute
      const value = item[name]
      const place = { field: `${prefix.field}${name}`, path: `${prefix.path}${name}` }
      if (this.#isNamed(attribute)) yield { ...place, attribute, value }
      else yield* this.#placesInComponents(attribute, value, place)
    }
  }

  *#placesInComponents(
    attribute: Attribute,
    value: unknown,
    { field, path }: Prefix,
  ): Generator<AttributePlace<A>> {
    for (const [index, { item, owner }] of this.itemsIn(attribute, value).entries()) {
      if (owner === undefined) continue
      const itemPath = Array.isArray(value) ? `${path}.${index}.` : `${path}.`
      yield* this.#places(this.fieldsOf(owner), item, { field: `${field}.`, path: itemPath })
    }
  }
}

/** Reads the schemas once for each type and component. */
export function createAttributePlaces<A extends Attribute>(
  schemas: Schemas,
  isNamed: (attribute: Attribute) => attribute is A,
): AttributePlaces<A> {
  return new SchemaAttributePlaces(schemas, isNamed)
}

function isHolder(item: unknown): item is PlaceHolder {
  return typeof item === 'object' && item !== null
}
