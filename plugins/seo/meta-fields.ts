import type { Attribute, ContentType, Schemas, TextAttribute } from 'mortise/plugin'
import type { SeoConfig } from './config-schema.ts'

/** A meta field of a type, and the field that it is derived from. */
export interface MetaField {
  readonly name: 'metaTitle' | 'metaDescription'
  readonly attribute: TextAttribute
  /** Name of a text field of the type; undefined if there is none to derive it from. */
  readonly source: string | undefined
}

/** Meta fields in one place: in the type itself, or in one of its components. */
export interface MetaPlace {
  /** The field with the component; undefined for the type itself. */
  readonly field: string | undefined
  readonly metaFields: readonly MetaField[]
  /** Required fields of the component, if it is one. */
  readonly required: readonly string[]
}

/** In the order in which they are tried. */
const sources = {
  metaTitle: ['title', 'name', 'heading', 'headline'],
  metaDescription: ['excerpt', 'summary', 'description', 'introduction', 'body', 'content'],
} as const

const names = ['metaTitle', 'metaDescription'] as const

/** Where a type has meta fields; nothing for most types. */
export function metaPlacesOf(type: ContentType, schemas: Schemas): MetaPlace[] {
  const components = [...type.attributes.values()].flatMap((attribute) => {
    if (attribute.type !== 'component' || attribute.repeatable) return []
    const { attributes } = schemas.components.get(attribute.component) ?? {}
    return attributes === undefined ? [] : [placeIn(type, attribute.name, attributes)]
  })
  const own = placeIn(type, undefined, type.attributes)
  return [own, ...components].filter(({ metaFields }) => metaFields.length > 0)
}

function placeIn(
  type: ContentType,
  field: string | undefined,
  attributes: ReadonlyMap<string, Attribute>,
): MetaPlace {
  const metaFields = names.flatMap((name): MetaField[] => {
    const attribute = attributes.get(name)
    if (!isText(attribute)) return []
    return [{ name, attribute, source: sources[name].find((source) => isText(type.attributes.get(source))) }]
  })
  const required = [...attributes.values()].filter((attribute) => attribute.required).map(({ name }) => name)
  return { field, metaFields, required }
}

function isText(attribute: Attribute | undefined): attribute is TextAttribute {
  return attribute !== undefined && ['string', 'text', 'richtext'].includes(attribute.type)
}

/** How long the field may be: by the plugin's config, and by its own attribute. */
export function limitOf({ name, attribute }: MetaField, config: SeoConfig): number {
  const limit = name === 'metaTitle' ? config.titleLength : config.descriptionLength
  return Math.min(limit, attribute.maxLength ?? limit)
}
