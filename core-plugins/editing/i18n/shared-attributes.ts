import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../entries/content/content.ts'
import { type Attribute, type ContentType, isInverse } from '../../foundation/schemas/schemas.ts'

type Values = Readonly<Record<string, unknown>>

/** Whether the attribute is stored with the entry; the inverse side of a relation is stored with the other entry. */
function isStored(attribute: Attribute): boolean {
  return !attribute.private && !isInverse(attribute)
}

/** Names of the attributes that have a separate value per locale. */
export function localizedNames({ attributes }: ContentType): string[] {
  return namesOf(attributes, ({ localized }) => localized)
}

function sharedNames({ attributes }: ContentType): string[] {
  return namesOf(attributes, ({ localized }) => !localized)
}

function namesOf(
  attributes: ContentType['attributes'],
  isMeant: (attribute: Attribute) => boolean,
): string[] {
  return [...attributes.values()]
    .filter((attribute) => isStored(attribute) && isMeant(attribute))
    .map(({ name }) => name)
}

/** The values that all versions of an entry share. */
export function sharedValues(type: ContentType, entry: Entry): Values {
  return Object.fromEntries(sharedNames(type).map((name) => [name, entry[name]]))
}

/** The shared values that have changed, in their new form. */
export function changedShared(type: ContentType, before: Values, entry: Entry): Values {
  return differing(sharedValues(type, entry), before)
}

/** The values that differ from the entry's. */
export function differing(values: Values, entry: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isDeepStrictEqual(value, entry[name])),
  )
}

/** The earlier values of a version's localised attributes that have changed. */
export function changedTexts(type: ContentType, before: Values, entry: Entry): Values {
  const changed = localizedNames(type).filter((name) => !isDeepStrictEqual(before[name], entry[name]))
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}
