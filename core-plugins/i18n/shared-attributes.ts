import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../content/content.ts'
import type { Attribute, ContentType } from '../schemas/schemas.ts'

type Values = Readonly<Record<string, unknown>>

/** Attributes that entries store: the inverse side of a relation is stored by the other one. */
function isStored(attribute: Attribute): boolean {
  return !attribute.private && !(attribute.type === 'relation' && attribute.side === 'inverse')
}

/** Names of the attributes that each locale has a value of its own for. */
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

/** What all versions of an entry have in common. */
export function sharedValues(type: ContentType, entry: Entry): Values {
  return Object.fromEntries(sharedNames(type).map((name) => [name, entry[name]]))
}

/** The values of shared attributes that are others than before. */
export function changedShared(type: ContentType, before: Values, entry: Entry): Values {
  return differing(sharedValues(type, entry), before)
}

/** Those of the values that an entry does not have. */
export function differing(values: Values, entry: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isDeepStrictEqual(value, entry[name])),
  )
}

/** Whether a version says something else than before in its own locale. */
export function isTextChanged(type: ContentType, before: Values, entry: Entry): boolean {
  return localizedNames(type).some((name) => !isDeepStrictEqual(before[name], entry[name]))
}
