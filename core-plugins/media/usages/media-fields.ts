import {
  createReferencePlaces,
  type Entry,
  type PendingDraft,
  type PlaceHolder,
  type ReferencePlaces,
} from '../../content/content.ts'
import type { Attribute, ContentType, MediaKind, ReferenceAttribute, Schemas } from '../../schemas/schemas.ts'

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

class SchemaMediaFields implements MediaFields {
  readonly #places: ReferencePlaces

  constructor(schemas: Schemas) {
    this.#places = createReferencePlaces(schemas, namesMedia)
  }

  fieldsOf(type: ContentType): readonly Attribute[] {
    return this.#places.fieldsOf(type)
  }

  placesIn(type: ContentType, entry: PlaceHolder): MediaPlace[] {
    return this.#places.placesIn(type, entry).map(({ id, field, path, attribute }) => {
      const allowedTypes = attribute.type === 'media' ? attribute.allowedTypes : undefined
      return { mediaId: id, field, path, allowedTypes }
    })
  }

  allPlaces(type: ContentType, entry: Entry, draft: PendingDraft | undefined): StoredPlace[] {
    const inEntry = this.placesIn(type, entry).map((place) => ({ ...place, isDraft: false }))
    if (draft === undefined) return inEntry
    return [...inEntry, ...this.placesIn(type, draft.values).map((place) => ({ ...place, isDraft: true }))]
  }

  without(type: ContentType, entry: Entry, mediaIds: ReadonlySet<number>): Record<string, unknown> {
    const fields = this.fieldsOf(type).filter(losesMedia)
    return this.#places.replaced(fields, entry, (id) => (mediaIds.has(id) ? undefined : id))
  }
}

/** Reads the schemas once for each type and component. */
export function createMediaFields(schemas: Schemas): MediaFields {
  return new SchemaMediaFields(schemas)
}

/** Media fields, and relations to the type `media`, which are the same. */
function namesMedia(attribute: Attribute): attribute is ReferenceAttribute {
  if (attribute.type === 'relation') return attribute.target === 'media' && attribute.side === 'owning'
  return attribute.type === 'media'
}

/** Relations that cascade or restrict are left to the database. */
function losesMedia(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.onDelete === 'SET NULL'
}
