import type {
  Attribute,
  ContentType,
  ReferenceAttribute,
  Schemas,
} from '../../../foundation/schemas/schemas.ts'
import {
  type AttributePlace,
  type AttributePlaces,
  createAttributePlaces,
  type PlaceHolder,
} from './attribute-places.ts'

/** A place in an entry that refers to another entry. */
export interface ReferencePlace extends Omit<AttributePlace<ReferenceAttribute>, 'value'> {
  /** The referenced id. In a list, the path ends with its position: `gallery.2`. */
  readonly id: number
}

/** Finds where entries refer to others by some attributes, also in components and zones. */
export interface ReferencePlaces extends Pick<AttributePlaces<ReferenceAttribute>, 'fieldsOf' | 'itemsIn'> {
  /** Every such place in an entry, or in the given fields of one. */
  placesIn(type: ContentType, values: PlaceHolder): ReferencePlace[]
  /** The new values of those fields that change when ids are replaced. */
  replaced(fields: readonly Attribute[], values: PlaceHolder, replace: IdReplacement): Record<string, unknown>
}

/** What to put in place of an id: the same id, another one, or nothing (undefined). */
export type IdReplacement = (id: number, attribute: ReferenceAttribute) => number | undefined

type IsNamed = (attribute: Attribute) => attribute is ReferenceAttribute

class SchemaReferencePlaces implements ReferencePlaces {
  readonly #places: AttributePlaces<ReferenceAttribute>
  readonly #isNamed: IsNamed

  constructor(schemas: Schemas, isNamed: IsNamed) {
    this.#places = createAttributePlaces(schemas, isNamed)
    this.#isNamed = isNamed
  }

  fieldsOf(...[owner]: Parameters<ReferencePlaces['fieldsOf']>): readonly Attribute[] {
    return this.#places.fieldsOf(owner)
  }

  itemsIn(attribute: Attribute, value: unknown) {
    return this.#places.itemsIn(attribute, value)
  }

  placesIn(type: ContentType, values: PlaceHolder): ReferencePlace[] {
    return [...this.#places.placesIn(type, values)].flatMap((place) => [...idsIn(place)])
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
}

/** Reads the schemas once for each type and component. */
export function createReferencePlaces(schemas: Schemas, isNamed: IsNamed): ReferencePlaces {
  return new SchemaReferencePlaces(schemas, isNamed)
}

/** Returns the same value if nothing is replaced. Lists do not end up with the same id twice. */
function withReplaced(value: unknown, replace: (id: number) => number | undefined): unknown {
  if (typeof value === 'number') return replace(value) ?? null
  if (!Array.isArray(value) || !value.some((id) => replace(id) !== id)) return value
  return [...new Set(value.map(replace))].filter((id) => id !== undefined)
}

/** Each id in the value of a place. */
export function* idsIn<A extends Attribute>({
  value,
  ...place
}: AttributePlace<A>): Generator<Omit<AttributePlace<A>, 'value'> & { readonly id: number }> {
  if (typeof value === 'number') yield { ...place, id: value }
  if (!Array.isArray(value)) return
  for (const [index, id] of value.entries()) {
    if (typeof id === 'number') yield { ...place, id, path: `${place.path}.${index}` }
  }
}
