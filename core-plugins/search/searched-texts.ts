import type { Attribute, ContentType, Schemas } from '../schemas/schemas.ts'
import { plainText } from './plain-text.ts'

/** A text of an entry that is searched. */
export interface SearchedText {
  /** `title`, `blocks.0.text`. */
  readonly path: string
  /** As a reader sees it. */
  readonly text: string
  readonly isTitle: boolean
}

/** Which texts of the entries of each type are searched. */
export interface SearchedTexts {
  /** Types that have any, in alphabetical order. */
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
      if (isText(attribute)) {
        if (typeof value === 'string') yield [path, attribute.type === 'richtext' ? plainText(value) : value]
      } else yield* inComponents(attribute, value, path)
    }
  }

  function* inComponents(attribute: Attribute, value: unknown, path: string): Generator<[string, string]> {
    const isZone = attribute.type === 'dynamicZone'
    if (typeof value !== 'object' || value === null || !(isZone || attribute.type === 'component')) return
    const items: [string, Item][] = Array.isArray(value)
      ? value.map((item, index) => [`${path}.${index}.`, item])
      : [[`${path}.`, value as Item]]
    for (const [prefix, item] of items) {
      const uid = isZone ? String(item.__component) : attribute.component
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

function isText({ type }: Attribute): boolean {
  return type === 'string' || type === 'text' || type === 'richtext' || type === 'email'
}

/** What is called like a title, or the first short text. */
function findTitleField({ attributes }: ContentType): string | undefined {
  const short = [...attributes.values()].filter(
    (attribute) => attribute.type === 'string' && !attribute.private,
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
    if (isText(attribute)) return true
    const uids = uidsOf(attribute).filter((uid) => !seen.has(uid))
    const inside = new Set([...seen, ...uids])
    return uids.some((uid) =>
      mayHaveText(schemas.components.get(uid)?.attributes ?? new Map(), schemas, inside),
    )
  })
}

function uidsOf(attribute: Attribute): readonly string[] {
  if (attribute.type === 'component') return [attribute.component]
  return attribute.type === 'dynamicZone' ? attribute.components : []
}
