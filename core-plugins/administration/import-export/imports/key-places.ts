import { createReferencePlaces, type ReferencePlaces } from '../../../entries/content/content.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import {
  type Attribute,
  type ContentType,
  isInverse,
  isReference,
  maxDepth,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'

type Values = Readonly<Record<string, unknown>>

/** A natural key in a record, where an id would be. */
export interface KeyPlace {
  readonly key: Values
  /** The singular name of the referenced type. */
  readonly target: string
  /** The path for problems: `country`, `blocks.0.image`. */
  readonly path: string
  /** The name of the attribute that contains it. */
  readonly field: string
  put(id: number): void
}

export interface OpenedRecord {
  /** The record's data, of which the parts that `put` changes are copies. */
  readonly data: Record<string, unknown>
  readonly places: readonly KeyPlace[]
  readonly problems: readonly ErrorDetail[]
}

/** The most references in one write. */
const maxKeys = 10_000

/** Finds the natural keys in records. */
export interface KeyFinder {
  open(type: ContentType, record: Values): OpenedRecord
}

const isOwning = (attribute: Attribute): attribute is ReferenceAttribute =>
  isReference(attribute) && !isInverse(attribute)

export function createKeyFinder(schemas: Schemas): KeyFinder {
  const references = createReferencePlaces(schemas, isOwning)
  return {
    open(type, record) {
      const data: Record<string, unknown> = { ...record }
      const search = new KeySearch(references)
      for (const attribute of references.fieldsOf(type)) {
        if (Object.hasOwn(data, attribute.name)) search.within(attribute, data)
      }
      const { places, isTooMany } = search
      if (!isTooMany) return { data, places, problems: [] }
      const message = `refers to more than ${maxKeys} entries, the maximum for one write`
      return { data, places: [], problems: [{ path: '', code: 'maxReferences', message }] }
    },
  }
}

interface Position {
  readonly field: string
  readonly path: string
  readonly depth: number
}

class KeySearch {
  readonly places: KeyPlace[] = []
  readonly #references: ReferencePlaces

  constructor(references: ReferencePlaces) {
    this.#references = references
  }

  get isTooMany(): boolean {
    return this.places.length > maxKeys
  }

  /** Searches the value of an attribute. Values that contain keys are copied, so the record itself is not changed. */
  within(attribute: Attribute, data: Record<string, unknown>): void {
    const { name } = attribute
    const value = data[name]
    const position = { field: name, path: name, depth: 0 }
    if (isOwning(attribute)) {
      if (Array.isArray(value)) data[name] = [...value]
      this.#inReference(attribute, data, position)
      return
    }
    const before = this.places.length
    this.#inComponents(attribute, value, position)
    if (this.places.length === before) return
    this.places.length = before
    data[name] = structuredClone(value)
    this.#inComponents(attribute, data[name], position)
  }

  #inComponents(attribute: Attribute, value: unknown, position: Position): void {
    // The check of the record refuses deeper values.
    if (position.depth > maxDepth) return
    for (const [index, { item, owner }] of this.#references.itemsIn(attribute, value).entries()) {
      if (owner === undefined || this.isTooMany) continue
      const prefix = Array.isArray(value) ? `${position.path}.${index}` : position.path
      for (const inner of this.#references.fieldsOf(owner)) {
        if (!Object.hasOwn(item, inner.name)) continue
        const at = { ...position, path: `${prefix}.${inner.name}`, depth: position.depth + 1 }
        if (isOwning(inner)) this.#inReference(inner, item as Record<string, unknown>, at)
        else this.#inComponents(inner, item[inner.name], at)
      }
    }
  }

  #inReference(attribute: ReferenceAttribute, holder: Record<string, unknown>, position: Position): void {
    const value = holder[attribute.name]
    const [target, { field, path }] = [targetNameOf(attribute), position]
    if (isKey(value)) {
      const put = (id: number) => {
        holder[attribute.name] = id
      }
      this.places.push({ key: value, target, path, field, put })
    }
    if (!Array.isArray(value)) return
    const items: unknown[] = value
    for (const [index, key] of items.entries()) {
      if (this.isTooMany) return
      if (!isKey(key)) continue
      const put = (id: number) => {
        items[index] = id
      }
      this.places.push({ key, target, path: `${path}.${index}`, field, put })
    }
  }
}

function isKey(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
