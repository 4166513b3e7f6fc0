import {
  type Attribute,
  type ComponentType,
  type ContentType,
  componentsOf,
  type ReferenceAttribute,
  type Schemas,
} from '../schemas/schemas.ts'

/** A place in an entry that refers to another one. */
export interface ReferencePlace {
  /** The id that it refers to. */
  readonly id: number
  /** As `populate` names it: `blocks.image`. */
  readonly field: string
  /** As problems name it: `blocks.0.image`, `gallery.2`. */
  readonly path: string
  readonly attribute: ReferenceAttribute
}

/** A component, or an entry, with its values by attribute. */
export type PlaceHolder = Readonly<Record<string, unknown>>

type Owner = ContentType | ComponentType

/** Finds where entries refer to others by some attributes, also in components and zones. */
export interface ReferencePlaces {
  /** The attributes of a type or component that lead to such attributes, at any depth. */
  fieldsOf(owner: Owner): readonly Attribute[]
  /** Every such place in an entry, or in some of its fields. */
  placesIn(type: ContentType, values: PlaceHolder): ReferencePlace[]
  /** Those of some fields of an entry that change if its ids are replaced, with their new values. */
  replaced(fields: readonly Attribute[], values: PlaceHolder, replace: IdReplacement): Record<string, unknown>
  /** The items in a value of an attribute with components, each with its declaration if there is one. */
  itemsIn(attribute: Attribute, value: unknown): { item: PlaceHolder; owner: ComponentType | undefined }[]
}

/** What is to stand in place of an id: the same, another one, or nothing. */
export type IdReplacement = (id: number, attribute: ReferenceAttribute) => number | undefined

/** The position of a value within an entry. */
interface Prefix {
  readonly field: string
  readonly path: string
}

class SchemaReferencePlaces implements ReferencePlaces {
  readonly #components: Schemas['components']
  readonly #isNamed: (attribute: Attribute) => attribute is ReferenceAttribute
  readonly #fieldsByOwner = new Map<Owner, readonly Attribute[]>()

  constructor({ components }: Schemas, isNamed: (attribute: Attribute) => attribute is ReferenceAttribute) {
    this.#components = components
    this.#isNamed = isNamed
  }

  fieldsOf(owner: Owner): readonly Attribute[] {
    const kept = this.#fieldsByOwner.get(owner)
    if (kept !== undefined) return kept
    const fields = [...owner.attributes.values()].filter((attribute) => this.#leads(attribute, new Set()))
    this.#fieldsByOwner.set(owner, fields)
    return fields
  }

  placesIn(type: ContentType, values: PlaceHolder): ReferencePlace[] {
    return [...this.#places(this.fieldsOf(type), values, { field: '', path: '' })]
  }

  replaced(
    fields: readonly Attribute[],
    values: PlaceHolder,
    replace: IdReplacement,
  ): Record<string, unknown> {
    const changes: Record<string, unknown> = {}
    for (const attribute of fields) {
      const value = values[attribute.name]
      const rest = this.#isNamed(attribute)
        ? withReplaced(value, (id) => replace(id, attribute))
        : this.#replacedInComponents(attribute, value, replace)
      if (rest !== value) changes[attribute.name] = rest
    }
    return changes
  }

  #replacedInComponents(attribute: Attribute, value: unknown, replace: IdReplacement): unknown {
    const items = this.itemsIn(attribute, value)
    const rest = items.map(({ item, owner }) => {
      const changes = owner === undefined ? {} : this.replaced(this.fieldsOf(owner), item, replace)
      return Object.keys(changes).length === 0 ? item : { ...item, ...changes }
    })
    if (rest.every((item, index) => item === items[index]?.item)) return value
    return Array.isArray(value) ? rest : rest[0]
  }

  itemsIn(attribute: Attribute, value: unknown) {
    if (typeof value !== 'object' || value === null) return []
    const items: unknown[] = Array.isArray(value) ? value : [value]
    return items.filter(isHolder).map((item) => ({ item, owner: this.#ownerOf(attribute, item) }))
  }

  /** `seen` holds the components that are being visited, because one may contain itself. */
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

  *#places(fields: readonly Attribute[], item: PlaceHolder, prefix: Prefix): Generator<ReferencePlace> {
    for (const attribute of fields) {
      const { name } = attribute
      const value = item[name]
      const place = { field: `${prefix.field}${name}`, path: `${prefix.path}${name}` }
      if (this.#isNamed(attribute)) yield* namedIn(attribute, value, place)
      else yield* this.#placesInComponents(attribute, value, place)
    }
  }

  *#placesInComponents(
    attribute: Attribute,
    value: unknown,
    { field, path }: Prefix,
  ): Generator<ReferencePlace> {
    for (const [index, { item, owner }] of this.itemsIn(attribute, value).entries()) {
      if (owner === undefined) continue
      const itemPath = Array.isArray(value) ? `${path}.${index}.` : `${path}.`
      yield* this.#places(this.fieldsOf(owner), item, { field: `${field}.`, path: itemPath })
    }
  }
}

/** Reads the schemas once for each type and component. */
export function createReferencePlaces(
  schemas: Schemas,
  isNamed: (attribute: Attribute) => attribute is ReferenceAttribute,
): ReferencePlaces {
  return new SchemaReferencePlaces(schemas, isNamed)
}

function isHolder(item: unknown): item is PlaceHolder {
  return typeof item === 'object' && item !== null
}

/** The value itself if nothing in it is replaced. A list never comes to name an id twice. */
function withReplaced(value: unknown, replace: (id: number) => number | undefined): unknown {
  if (typeof value === 'number') return replace(value) ?? null
  if (!Array.isArray(value) || !value.some((id) => replace(id) !== id)) return value
  return [...new Set(value.map(replace))].filter((id) => id !== undefined)
}

function* namedIn(
  attribute: ReferenceAttribute,
  value: unknown,
  { field, path }: Prefix,
): Generator<ReferencePlace> {
  if (typeof value === 'number') yield { id: value, field, path, attribute }
  if (!Array.isArray(value)) return
  for (const [index, id] of value.entries()) {
    if (typeof id === 'number') yield { id, field, path: `${path}.${index}`, attribute }
  }
}
