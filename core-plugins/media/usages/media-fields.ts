import type { Entry, PendingDraft } from '../../content/content.ts'
import {
  type Attribute,
  type ComponentType,
  type ContentType,
  componentsOf,
  type MediaAttribute,
  type MediaKind,
  type RelationAttribute,
  type Schemas,
} from '../../schemas/schemas.ts'

/** A place in an entry that refers to a file. */
export interface MediaPlace {
  readonly mediaId: number
  /** As `populate` names it: `blocks.image`. */
  readonly field: string
  /** As problems name it: `blocks.0.image`, `gallery.2`. */
  readonly path: string
  /** Undefined means any. */
  readonly allowedTypes: readonly MediaKind[] | undefined
}

/** One in an entry, or in its pending draft. */
export interface StoredPlace extends MediaPlace {
  readonly isDraft: boolean
}

/** Finds the files to which entries refer, also in components and zones. */
export interface MediaFields {
  /** The fields of a type that may refer to files, at any depth. */
  fieldsOf(type: ContentType): readonly Attribute[]
  /** Every place in an entry, or in some of its fields, that refers to a file. */
  placesIn(type: ContentType, entry: Readonly<Record<string, unknown>>): MediaPlace[]
  /** Those in an entry and those in its pending draft. */
  allPlaces(type: ContentType, entry: Entry, draft: PendingDraft | undefined): StoredPlace[]
  /** The fields of an entry that change if files are removed, with their new values. */
  without(type: ContentType, entry: Entry, mediaIds: ReadonlySet<number>): Record<string, unknown>
}

type Item = Readonly<Record<string, unknown>>

/** The position of a value within an entry. */
interface Prefix {
  readonly field: string
  readonly path: string
}

class SchemaMediaFields implements MediaFields {
  readonly #components: Schemas['components']
  readonly #fieldsByOwner = new Map<ContentType | ComponentType, readonly Attribute[]>()

  constructor({ components }: Schemas) {
    this.#components = components
  }

  fieldsOf(owner: ContentType | ComponentType): readonly Attribute[] {
    const kept = this.#fieldsByOwner.get(owner)
    if (kept !== undefined) return kept
    const fields = [...owner.attributes.values()].filter((attribute) =>
      this.#leadsToMedia(attribute, new Set()),
    )
    this.#fieldsByOwner.set(owner, fields)
    return fields
  }

  placesIn(type: ContentType, entry: Item): MediaPlace[] {
    return [...this.#places(this.fieldsOf(type), entry, { field: '', path: '' })]
  }

  allPlaces(type: ContentType, entry: Entry, draft: PendingDraft | undefined): StoredPlace[] {
    const inEntry = this.placesIn(type, entry).map((place) => ({ ...place, isDraft: false }))
    if (draft === undefined) return inEntry
    return [...inEntry, ...this.placesIn(type, draft.values).map((place) => ({ ...place, isDraft: true }))]
  }

  without(type: ContentType, entry: Entry, mediaIds: ReadonlySet<number>): Record<string, unknown> {
    return this.#changed(this.fieldsOf(type).filter(losesMedia), entry, mediaIds)
  }

  /** `seen` holds the components that are being visited, because one may contain itself. */
  #leadsToMedia(attribute: Attribute, seen: Set<string>): boolean {
    if (namesMedia(attribute)) return true
    return componentsOf(attribute).some((uid) => {
      if (seen.has(uid)) return false
      seen.add(uid)
      const inner = [...(this.#components.get(uid)?.attributes.values() ?? [])]
      return inner.some((each) => this.#leadsToMedia(each, seen))
    })
  }

  #ownerOf(attribute: Attribute, item: Item): ComponentType | undefined {
    return this.#components.get(
      attribute.type === 'component' ? attribute.component : String(item.__component),
    )
  }

  *#places(fields: readonly Attribute[], item: Item, prefix: Prefix): Generator<MediaPlace> {
    for (const attribute of fields) {
      const { name } = attribute
      const value = item[name]
      const place = { field: `${prefix.field}${name}`, path: `${prefix.path}${name}` }
      if (namesMedia(attribute)) yield* namedIn(attribute, value, place)
      else yield* this.#placesInComponents(attribute, value, place)
    }
  }

  *#placesInComponents(attribute: Attribute, value: unknown, { field, path }: Prefix): Generator<MediaPlace> {
    for (const [index, item] of itemsIn(value).entries()) {
      const owner = this.#ownerOf(attribute, item)
      if (owner === undefined) continue
      const itemPath = Array.isArray(value) ? `${path}.${index}.` : `${path}.`
      yield* this.#places(this.fieldsOf(owner), item, { field: `${field}.`, path: itemPath })
    }
  }

  #changed(fields: readonly Attribute[], item: Item, mediaIds: ReadonlySet<number>) {
    const changes: Record<string, unknown> = {}
    for (const attribute of fields) {
      const value = item[attribute.name]
      const rest = namesMedia(attribute)
        ? withoutIds(value, mediaIds)
        : this.#withoutInComponents(attribute, value, mediaIds)
      if (rest !== value) changes[attribute.name] = rest
    }
    return changes
  }

  #withoutInComponents(attribute: Attribute, value: unknown, mediaIds: ReadonlySet<number>): unknown {
    const items = itemsIn(value)
    const rest = items.map((item) => {
      const owner = this.#ownerOf(attribute, item)
      const changes = owner === undefined ? {} : this.#changed(this.fieldsOf(owner), item, mediaIds)
      return Object.keys(changes).length === 0 ? item : { ...item, ...changes }
    })
    if (rest.every((item, index) => item === items[index])) return value
    return Array.isArray(value) ? rest : rest[0]
  }
}

/** Reads the schemas once for each type and component. */
export function createMediaFields(schemas: Schemas): MediaFields {
  return new SchemaMediaFields(schemas)
}

/** Media fields, and relations to the type `media`, which are the same. */
function namesMedia(attribute: Attribute): attribute is MediaAttribute | RelationAttribute {
  if (attribute.type === 'relation') return attribute.target === 'media' && attribute.side === 'owning'
  return attribute.type === 'media'
}

/** Relations that cascade or restrict are left to the database. */
function losesMedia(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.onDelete === 'SET NULL'
}

function itemsIn(value: unknown): Item[] {
  if (typeof value !== 'object' || value === null) return []
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'object' && item !== null)
}

function* namedIn(
  attribute: MediaAttribute | RelationAttribute,
  value: unknown,
  { field, path }: { readonly field: string; readonly path: string },
): Generator<MediaPlace> {
  const allowedTypes = attribute.type === 'media' ? attribute.allowedTypes : undefined
  if (typeof value === 'number') yield { mediaId: value, field, path, allowedTypes }
  if (!Array.isArray(value)) return
  for (const [index, id] of value.entries()) {
    if (typeof id === 'number') yield { mediaId: id, field, path: `${path}.${index}`, allowedTypes }
  }
}

function withoutIds(value: unknown, mediaIds: ReadonlySet<number>): unknown {
  if (typeof value === 'number') return mediaIds.has(value) ? null : value
  if (!Array.isArray(value) || !value.some((id) => mediaIds.has(id))) return value
  return value.filter((id) => !mediaIds.has(id))
}
