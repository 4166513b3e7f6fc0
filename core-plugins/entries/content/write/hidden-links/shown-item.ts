import { isObject } from '../../../../../kernel/index.ts'
import {
  type Attribute,
  holdsComponents,
  isInverse,
  isReference,
  isToMany,
} from '../../../../foundation/schemas/schemas.ts'
import type { Source } from '../../payload/field-set.ts'
import type { LinkView } from './link-view.ts'

/** What a caller sees of a component item, for comparisons. */
export interface ShownItem {
  /** The uid of its component. */
  readonly uid: string
  readonly id: unknown
  /** Its values as texts, by attribute; an empty text if there is no value. */
  readonly values: readonly string[]
  /** For each value, whether it is distinctive: most attributes have one of only a few options. */
  readonly isTelling: readonly boolean[]
}

/** Reads an item in stored form. */
export function shownItem(uid: string, item: Source, view: LinkView): ShownItem {
  const attributes = attributesOf(uid, view)
  return {
    uid,
    id: item.id ?? undefined,
    values: attributes.map((attribute) => textOf(shownValue(attribute, item[attribute.name], view))),
    isTelling: attributes.map(({ type }) => type !== 'boolean' && type !== 'enum'),
  }
}

function attributesOf(uid: string, { components }: LinkView): Attribute[] {
  return [...(components.get(uid)?.attributes.values() ?? [])].filter((attribute) => !isInverse(attribute))
}

function shownValue(attribute: Attribute, value: unknown, view: LinkView): unknown {
  if (isReference(attribute)) {
    const ids: unknown[] = Array.isArray(value) ? value : [value]
    const shown = ids.filter((id) => typeof id === 'number' && view.isShown(attribute, id))
    return isToMany(attribute) ? shown : shown[0]
  }
  if (!holdsComponents(attribute)) return value
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return items.filter(isObject).map((item) => {
    const uid = attribute.type === 'component' ? attribute.component : String(item.__component)
    return [uid, item.id, attributesOf(uid, view).map((each) => shownValue(each, item[each.name], view))]
  })
}

function textOf(value: unknown): string {
  const isEmpty = (value ?? null) === null || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? '' : JSON.stringify(value, sorted)
}

/** Some databases change the order of object members. */
function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
