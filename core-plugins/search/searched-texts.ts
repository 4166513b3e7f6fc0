import {
  type Attribute,
  type ContentType,
  componentsOf,
  holdsComponents,
  isReference,
  type Schemas,
} from '../schemas/schemas.ts'
import { plainText } from './plain-text.ts'

/** A text of an entry that is searched. */
export interface SearchedText {
  /** `title`, `blocks.0.text`. */
  readonly path: string
  /** As a reader sees it. */
  readonly text: string
  readonly isTitle: boolean
}

/** The searched texts of each type's entries. */
export interface SearchedTexts {
  /** Types that have searched texts, in alphabetical order. */
  readonly types: readonly ContentType[]
  titleField(type: ContentType): string | undefined
  of(type: ContentType, entry: Readonly<Record<string, unknown>>): SearchedText[]
}

type Attributes = ReadonlyMap<string, Attribute>
type Item = Readonly<Record<string, unknown>>

const titleNames = ['title', 'name', 'headline', 'displayName', 'label', 'subject']

export function createSearchedTexts(schemas: Schemas): SearchedTexts {
  const titles = new Map([...schemas.types.values()].map((type) => [type.name, findTitleField(type)]))

  function* inAttributes(attributes: Attributes, item: Item, prefix: string): Generator<[string, string]> {
    for (const attribute of attributes.values()) {
      if (attribute.private) continue
      const value = item[attribute.name]
      const path = `${prefix}${attribute.name}`
      const search = searchOf(attribute)
      if (search !== undefined) {
        if (typeof value === 'string') yield [path, search.format === 'html' ? plainText(value) : value]
      } else yield* inComponents(attribute, value, path)
    }
  }

  function* inComponents(attribute: Attribute, value: unknown, path: string): Generator<[string, string]> {
    if (typeof value !== 'object' || value === null || !holdsComponents(attribute)) return
    const items: [string, Item][] = Array.isArray(value)
      ? value.map((item, index) => [`${path}.${index}.`, item])
      : [[`${path}.`, value as Item]]
    for (const [prefix, item] of items) {
      const uid = attribute.type === 'component' ? attribute.component : String(item.__component)
      const attributes = schemas.components.get(uid)?.attributes
      if (attributes !== undefined) yield* inAttributes(attributes, item, prefix)
    }
  }

  return {
    types: [...schemas.types.values()].filter((type) => mayHaveText(type.attributes, schemas)),
    titleField: (type) => titles.get(type.name),
    of: (type, entry) =>
      [...inAttributes(type.attributes, entry, '')]
        .filter(([, text]) => text !== '')
        .map(([path, text]) => ({ path, text, isTitle: path === titles.get(type.name) })),
  }
}

/** How the words of an attribute are searched; undefined if they are not. */
function searchOf(attribute: Attribute) {
  if (isReference(attribute) || holdsComponents(attribute)) return undefined
  return attribute.definition.search
}

/** The field with a name for titles, or the first short text. */
function findTitleField({ attributes }: ContentType): string | undefined {
  const short = [...attributes.values()].filter(
    (attribute) => searchOf(attribute)?.isTitle === true && !attribute.private,
  )
  const named = titleNames.find((name) => short.some((attribute) => attribute.name === name))
  return named ?? short[0]?.name
}

function mayHaveText(
  attributes: Attributes,
  schemas: Schemas,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  return [...attributes.values()].some((attribute) => {
    if (attribute.private) return false
    if (searchOf(attribute) !== undefined) return true
    const uids = componentsOf(attribute).filter((uid) => !seen.has(uid))
    const inside = new Set([...seen, ...uids])
    return uids.some((uid) =>
      mayHaveText(schemas.components.get(uid)?.attributes ?? new Map(), schemas, inside),
    )
  })
}
