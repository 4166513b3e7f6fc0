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

/** A place in an entry, or in its pending draft, that refers to a file. */
export interface FilePlace {
  /** The id of the record for a media field, or a file name in a text. */
  readonly file: number | string
  /** A path as in `populate`: `blocks.image`. */
  readonly field: string
  /** A path as in validation errors: `blocks.0.image`, `gallery.2`. */
  readonly path: string
  readonly isDraft: boolean
}

/** Finds the files to which entries refer, in media fields and in texts, including components and zones. */
export interface MediaFields {
  /** The fields of a type that may refer to files, at any depth. */
  fieldsOf(type: ContentType): readonly Attribute[]
  /** Every place in an entry and in its pending draft that refers to a file. */
  allPlaces(type: ContentType, entry: Entry, draft: PendingDraft | undefined): FilePlace[]
  /** The fields of an entry that change if the files are removed, with their new values. Texts do not change. */
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

  /** Texts of system types are not content, and the texts of media records contain their own file names. */
  #placesOf({ system }: ContentType): AttributePlaces {
    return system ? this.#ofSystemTypes : this.#all
  }
}

/** Analyses the schemas once for each type and component. */
export function createMediaFields(schemas: Schemas): MediaFields {
  return new SchemaMediaFields(schemas)
}

/** Whether an attribute is a media field or a relation to the type `media`, which are equivalent. */
function refersToMedia(attribute: Attribute): attribute is ReferenceAttribute {
  if (attribute.type === 'relation') return attribute.target === 'media' && attribute.side === 'owning'
  return attribute.type === 'media'
}

/** Whether a value may contain addresses: rich text, Markdown, other texts, and JSON of block editors. */
function holdsText(attribute: Attribute): boolean {
  if (isReference(attribute) || holdsComponents(attribute)) return false
  return ['string', 'text', 'json'].includes(columnOf(attribute)?.kind ?? '')
}

function filesIn(place: AttributePlace, isDraft: boolean): FilePlace[] {
  const { attribute, value, field, path } = place
  if (!refersToMedia(attribute)) return keysInText(value).map((file) => ({ file, field, path, isDraft }))
  return [...idsIn(place)].map((found) => ({ file: found.id, field, path: found.path, isDraft }))
}

/** Whether removing a file changes the attribute; relations that cascade or restrict are handled by the database. */
function losesMedia(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.onDelete === 'SET NULL'
}
