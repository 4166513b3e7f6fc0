import type { Entry, PendingDraft } from '../../content/content.ts'
import type {
  Attribute,
  ComponentType,
  ContentType,
  MediaAttribute,
  MediaKind,
  RelationAttribute,
  Schemas,
} from '../../schemas/schemas.ts'

/** A place in an entry that names a file. */
export interface MediaPlace {
  readonly mediaId: number
  /** As `populate` names it: `blocks.image`. */
  readonly field: string
  /** As problems name it: `blocks.0.image`, `gallery.2`. */
  readonly path: string
  /** Undefined means any. */
  readonly allowedTypes: readonly MediaKind[] | undefined
}

/** One in an entry, or in the draft beside it. */
export interface StoredPlace extends MediaPlace {
  readonly isDraft: boolean
}

/** Finds the files that entries name, in components and zones too. */
export interface MediaFields {
  /** The fields of a type in which files may be named, however deep. */
  fieldsOf(type: ContentType): readonly Attribute[]
  /** Every place in an entry, or in some of its fields, that names a file. */
  placesIn(type: ContentType, entry: Readonly<Record<string, unknown>>): MediaPlace[]
  /** Those in an entry and those in the draft beside it. */
  allPlaces(type: ContentType, entry: Entry, draft: PendingDraft | undefined): StoredPlace[]
  /** The fields of an entry that change when files are taken out, as they are then. */
  without(type: ContentType, entry: Entry, mediaIds: ReadonlySet<number>): Record<string, unknown>
}

type Item = Readonly<Record<string, unknown>>

export function createMediaFields(schemas: Schemas): MediaFields {
  const fieldsByOwner = new Map<ContentType | ComponentType, readonly Attribute[]>()

  function fieldsOf(owner: ContentType | ComponentType): readonly Attribute[] {
    const kept = fieldsByOwner.get(owner)
    if (kept !== undefined) return kept
    const fields = [...owner.attributes.values()].filter((attribute) => leadsToMedia(attribute, new Set()))
    fieldsByOwner.set(owner, fields)
    return fields
  }

  /** `seen` holds components that are being looked at: one may hold itself. */
  function leadsToMedia(attribute: Attribute, seen: Set<string>): boolean {
    if (namesMedia(attribute)) return true
    return componentsIn(attribute).some((uid) => {
      if (seen.has(uid)) return false
      seen.add(uid)
      return [...(schemas.components.get(uid)?.attributes.values() ?? [])].some((inner) =>
        leadsToMedia(inner, seen),
      )
    })
  }

  function ownerOf(attribute: Attribute, item: Item): ComponentType | undefined {
    return schemas.components.get(
      attribute.type === 'component' ? attribute.component : String(item.__component),
    )
  }

  function* places(
    fields: readonly Attribute[],
    item: Item,
    place: { readonly field: string; readonly path: string },
  ): Generator<MediaPlace> {
    for (const attribute of fields) {
      const { name } = attribute
      const value = item[name]
      const inner = { field: `${place.field}${name}`, path: `${place.path}${name}` }
      if (namesMedia(attribute)) yield* namedIn(attribute, value, inner)
      else yield* placesInComponents(attribute, value, inner)
    }
  }

  function* placesInComponents(
    attribute: Attribute,
    value: unknown,
    { field, path }: { readonly field: string; readonly path: string },
  ): Generator<MediaPlace> {
    for (const [index, item] of itemsIn(value).entries()) {
      const owner = ownerOf(attribute, item)
      const itemPath = Array.isArray(value) ? `${path}.${index}.` : `${path}.`
      if (owner !== undefined) yield* places(fieldsOf(owner), item, { field: `${field}.`, path: itemPath })
    }
  }

  function changed(fields: readonly Attribute[], item: Item, mediaIds: ReadonlySet<number>) {
    const changes: Record<string, unknown> = {}
    for (const attribute of fields) {
      const value = item[attribute.name]
      const rest = namesMedia(attribute)
        ? withoutIds(value, mediaIds)
        : withoutInComponents(attribute, value, mediaIds)
      if (rest !== value) changes[attribute.name] = rest
    }
    return changes
  }

  function withoutInComponents(attribute: Attribute, value: unknown, mediaIds: ReadonlySet<number>): unknown {
    const items = itemsIn(value)
    const rest = items.map((item) => {
      const owner = ownerOf(attribute, item)
      const changes = owner === undefined ? {} : changed(fieldsOf(owner), item, mediaIds)
      return Object.keys(changes).length === 0 ? item : { ...item, ...changes }
    })
    if (rest.every((item, index) => item === items[index])) return value
    return Array.isArray(value) ? rest : rest[0]
  }

  const placesIn: MediaFields['placesIn'] = (type, entry) => [
    ...places(fieldsOf(type), entry, { field: '', path: '' }),
  ]

  return {
    fieldsOf,
    placesIn,
    allPlaces(type, entry, draft) {
      const inEntry = placesIn(type, entry).map((place) => ({ ...place, isDraft: false }))
      if (draft === undefined) return inEntry
      return [...inEntry, ...placesIn(type, draft.values).map((place) => ({ ...place, isDraft: true }))]
    },
    without: (type, entry, mediaIds) => changed(fieldsOf(type).filter(losesMedia), entry, mediaIds),
  }
}

/** Media fields, and relations to the type `media`, which are the same thing by another name. */
function namesMedia(attribute: Attribute): attribute is MediaAttribute | RelationAttribute {
  if (attribute.type === 'relation') return attribute.target === 'media' && attribute.side === 'owning'
  return attribute.type === 'media'
}

/** Relations that cascade or restrict are the database's own business. */
function losesMedia(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.onDelete === 'SET NULL'
}

function componentsIn(attribute: Attribute): readonly string[] {
  if (attribute.type === 'component') return [attribute.component]
  return attribute.type === 'dynamicZone' ? attribute.components : []
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
