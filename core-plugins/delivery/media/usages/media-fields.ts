import {
  type AttributePlace,
  type AttributePlaces,
  createAttributePlaces,
  createReferencePlaces,
  type Entry,
  idsIn,
  type PendingDraft,
  type PlaceHolder,
  type ReferencePlaces,
} from '../../../entries/content/content.ts'
import {
  type Attribute,
  type ContentType,
  columnOf,
  holdsComponents,
  isReference,
  type ReferenceAttribute,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'
import { keysInText } from './text-keys.ts'

/** A place in an entry, or in its pending draft, that names a file. */
export interface FilePlace {
  /** The id of the record to which a field refers, or the name of a file in a text. */
  readonly file: number | string
  /** As `populate` names it: `blocks.image`. */
  readonly field: string
  /** As problems name it: `blocks.0.image`, `gallery.2`. */
  readonly path: string
  readonly isDraft: boolean
}

/** Finds the files that entries name, in fields that refer to them and in texts, also in components and zones. */
export interface MediaFields {
  /** The fields of a type that may name files, at any depth. */
  fieldsOf(type: ContentType): readonly Attribute[]
  /** Every place in an entry and in its pending draft that names a file. */
  allPlaces(type: ContentType, entry: Entry, draft: PendingDraft | undefined): FilePlace[]
  /** The fields of an entry that change if files are removed, with their new values. Texts stay as they are. */
  without(type: ContentType, entry: Entry, mediaIds: ReadonlySet<number>): Record<string, unknown>
}

class SchemaMediaFields implements MediaFields {
  readonly #references: ReferencePlaces
  readonly #all: AttributePlaces
  readonly #ofSystemTypes: AttributePlaces

  constructor(schemas: Schemas) {
    this.#references = createReferencePlaces(schemas, refersToMedia)
    this.#all = createAttributePlaces(
      schemas,
      (attribute): attribute is Attribute => refersToMedia(attribute) || holdsText(attribute),
    )
    this.#ofSystemTypes = createAttributePlaces(schemas, refersToMedia)
  }

  fieldsOf(type: ContentType): readonly Attribute[] {
    return this.#placesOf(type).fieldsOf(type)
  }

  allPlaces(type: ContentType, entry: Entry, draft: PendingDraft | undefined): FilePlace[] {
    const inEntry = this.#placesIn(type, entry, false)
    return draft === undefined ? inEntry : [...inEntry, ...this.#placesIn(type, draft.values, true)]
  }

  without(type: ContentType, entry: Entry, mediaIds: ReadonlySet<number>): Record<string, unknown> {
    const fields = this.#references.fieldsOf(type).filter(losesMedia)
    return this.#references.replaced(fields, entry, (id) => (mediaIds.has(id) ? undefined : id))
  }

  #placesIn(type: ContentType, values: PlaceHolder, isDraft: boolean): FilePlace[] {
    return [...this.#placesOf(type).placesIn(type, values)].flatMap((place) => filesIn(place, isDraft))
  }

  /** The texts of system types are no content; those of files name the files themselves. */
  #placesOf({ system }: ContentType): AttributePlaces {
    return system ? this.#ofSystemTypes : this.#all
  }
}

/** Reads the schemas once for each type and component. */
export function createMediaFields(schemas: Schemas): MediaFields {
  return new SchemaMediaFields(schemas)
}

/** Media fields, and relations to the type `media`, which are the same. */
function refersToMedia(attribute: Attribute): attribute is ReferenceAttribute {
  if (attribute.type === 'relation') return attribute.target === 'media' && attribute.side === 'owning'
  return attribute.type === 'media'
}

/** Rich text, Markdown and addresses in texts, blocks of other editors in JSON. */
function holdsText(attribute: Attribute): boolean {
  if (isReference(attribute) || holdsComponents(attribute)) return false
  return ['string', 'text', 'json'].includes(columnOf(attribute)?.kind ?? '')
}

function filesIn(place: AttributePlace, isDraft: boolean): FilePlace[] {
  const { attribute, value, field, path } = place
  if (!refersToMedia(attribute)) return keysInText(value).map((file) => ({ file, field, path, isDraft }))
  return [...idsIn(place)].map((found) => ({ file: found.id, field, path: found.path, isDraft }))
}

/** Relations that cascade or restrict are left to the database. */
function losesMedia(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.onDelete === 'SET NULL'
}
