import {
  type Attribute,
  type ContentType,
  componentsOf,
  holdsComponents,
  isReference,
  type Schemas,
} from '../../foundation/schemas/schemas.ts'
import { plainText } from './plain-text.ts'

/** A searched text of an entry. */
export interface SearchedText {
  /** For example `title` or `blocks.0.text`. */
  readonly path: string
  /** The path without positions, as used in searches: `title`, `blocks.text`. */
  readonly field: string
  /** Without markup, as readers see it. */
  readonly text: string
  readonly isTitle: boolean
}

/** The searched texts of each type's entries. */
export interface SearchedTexts {
  /** The types with searched texts, in alphabetical order. */
  readonly types: readonly ContentType[]
  titleField(type: ContentType): string | undefined
  /** The searched fields of a type: `title`, `blocks.text`. */
  fields(type: ContentType): readonly string[]
  of(type: ContentType, entry: Readonly<Record<string, unknown>>): SearchedText[]
}

type Attributes = ReadonlyMap<string, Attribute>
type Item = Readonly<Record<string, unknown>>

const titleNames = ['title', 'name', 'headline', 'displayName', 'label', 'subject']

export function createSearchedTexts(schemas: Schemas): SearchedTexts {
  const titles = new Map([...schemas.types.values()].map((type) => [type.name, findTitleField(type)]))

  function* inAttributes(
    attributes: Attributes,
    item: Item,
    place: Place,
  ): Generator<Omit<SearchedText, 'isTitle'>> {
    for (const attribute of attributes.values()) {
      if (attribute.private) continue
      const value = item[attribute.name]
      const path = `${place.path}${attribute.name}`
      const field = `${place.field}${attribute.name}`
      const search = searchOf(attribute)
      if (search !== undefined) {
        if (typeof value === 'string')
          yield { path, field, text: search.format === 'html' ? plainText(value) : value }
      } else yield* inComponents(attribute, value, { path, field })
    }
  }

  function* inComponents(
    attribute: Attribute,
    value: unknown,
    { path, field }: Place,
  ): ReturnType<typeof inAttributes> {
    if (typeof value !== 'object' || value === null || !holdsComponents(attribute)) return
    const items: [string, Item][] = Array.isArray(value)
      ? value.map((item, index) => [`${path}.${index}.`, item])
      : [[`${path}.`, value as Item]]
    for (const [prefix, item] of items) {
      const uid = attribute.type === 'component' ? attribute.component : String(item.__component)
      const attributes = schemas.components.get(uid)?.attributes
      if (attributes !== undefined)
        yield* inAttributes(attributes, item, { path: prefix, field: `${field}.` })
    }
  }

  const fields = new Map(
    [...schemas.types.values()].map((type) => [type.name, fieldsIn(type.attributes, schemas)]),
  )

  return {
    types: [...schemas.types.values()].filter((type) => (fields.get(type.name) ?? []).length > 0),
    titleField: (type) => titles.get(type.name),
    fields: (type) => fields.get(type.name) ?? [],
    of: (type, entry) =>
      [...inAttributes(type.attributes, entry, { path: '', field: '' })]
        .filter(({ text }) => text !== '')
        .map((found) => ({ ...found, isTitle: found.path === titles.get(type.name) })),
  }
}

/** The beginning of the path and of the field name of a text. */
type Place = Pick<SearchedText, 'path' | 'field'>

/** Terminates, since components cannot contain themselves. */
function fieldsIn(attributes: Attributes, schemas: Schemas): string[] {
  const found = [...attributes.values()].flatMap((attribute) => {
    if (attribute.private) return []
    if (searchOf(attribute) !== undefined) return [attribute.name]
    const inside = componentsOf(attribute).flatMap((uid) => {
      const component = schemas.components.get(uid)
      return component === undefined ? [] : fieldsIn(component.attributes, schemas)
    })
    return inside.map((field) => `${attribute.name}.${field}`)
  })
  return [...new Set(found)]
}

/** How the words of an attribute are searched; undefined if the attribute is not searched. */
function searchOf(attribute: Attribute) {
  if (isReference(attribute) || holdsComponents(attribute)) return undefined
  return attribute.definition.search
}

/** The title field by its name, or else the first short text. */
function findTitleField({ attributes }: ContentType): string | undefined {
  const short = [...attributes.values()].filter(
    (attribute) => searchOf(attribute)?.isTitle === true && !attribute.private,
  )
  const named = titleNames.find((name) => short.some((attribute) => attribute.name === name))
  return named ?? short[0]?.name
}
