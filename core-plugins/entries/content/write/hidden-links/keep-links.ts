import { isObject } from '../../../../../kernel/index.ts'
import {
  type Attribute,
  holdsComponents,
  isReference,
  isToMany,
  type ReferenceAttribute,
} from '../../../../foundation/schemas/schemas.ts'
import { type Source, valueIn } from '../../payload/field-set.ts'
import { KeptLink } from '../../payload/kept-link.ts'
import { keep } from '../../read/keep.ts'
import type { LinkView } from './link-view.ts'
import { matchItems } from './match-items.ts'
import { shownItem } from './shown-item.ts'

/** An entry or an item of a component: as stored, as sent, and as sent but in stored form. */
interface Change {
  readonly stored: Source
  readonly sent: Source
  readonly checked: Source
}

type Attributes = ReadonlyMap<string, Attribute>

/** A copy of what was sent, completed with the hidden links of its fields. */
export function keepLinks(attributes: Attributes, change: Change, view: LinkView): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...change.sent }
  for (const attribute of attributes.values()) {
    const { name } = attribute
    if (valueIn(change.sent, name) === undefined) continue
    if (isReference(attribute)) kept[name] = keptIds(attribute, change, view)
    else if (holdsComponents(attribute)) kept[name] = keptComponents(attribute, change, view)
  }
  return kept
}

/** Fields left out of an item become empty, so their hidden links have to be kept as well. */
function keptItem(uid: string, { stored, sent, checked }: Change, view: LinkView): Source {
  const attributes: Attributes = view.components.get(uid)?.attributes ?? new Map()
  const whole: Record<string, unknown> = { ...sent }
  for (const attribute of attributes.values()) {
    if (isReference(attribute) && hiddenIn(attribute, stored, view).length > 0) whole[attribute.name] ??= null
  }
  return keepLinks(attributes, { stored, sent: whole, checked }, view)
}

function hiddenIn(attribute: ReferenceAttribute, stored: Source, view: LinkView): number[] {
  const value = stored[attribute.name]
  const ids: unknown[] = Array.isArray(value) ? value : [value]
  return ids.filter((id): id is number => typeof id === 'number' && view.isHidden(attribute, id))
}

function keptIds(attribute: ReferenceAttribute, { stored, sent }: Change, view: LinkView): unknown {
  const { name } = attribute
  const value = sent[name]
  const hidden = hiddenIn(attribute, stored, view)
  const [first] = hidden
  if (first === undefined) return value
  if (!isToMany(attribute)) return value === null ? new KeptLink(first) : value
  if (value !== null && !Array.isArray(value)) return value
  return withHidden(value ?? [], { stored: stored[name] as readonly number[], hidden: new Set(hidden) })
}

/** Each hidden id follows the id that it followed before or, if that is gone, the nearest earlier one that is still there. */
function withHidden(
  sent: readonly unknown[],
  { stored, hidden }: { readonly stored: readonly number[]; readonly hidden: ReadonlySet<number> },
): unknown[] {
  const present = new Set(sent)
  const following = new Map<unknown, KeptLink[]>()
  let leader: unknown
  for (const id of stored) {
    if (present.has(id)) leader = id
    else if (hidden.has(id)) keep(following, leader, (): KeptLink[] => []).push(new KeptLink(id))
  }
  const after = (id: unknown) => {
    const links = following.get(id) ?? []
    // An id that was sent twice is a single link.
    following.delete(id)
    return links
  }
  const first = after(undefined)
  return [...first, ...sent.flatMap((id) => [id, ...after(id)])]
}

function keptComponents(attribute: Attribute, { stored, sent, checked }: Change, view: LinkView): unknown {
  const { name } = attribute
  const [before, value, after] = [stored[name], sent[name], checked[name]]
  if (Array.isArray(before) && Array.isArray(value)) {
    return keptItems(
      attribute,
      { stored: before, sent: value, checked: Array.isArray(after) ? after : [] },
      view,
    )
  }
  if (!isObject(before) || !isObject(value) || isOther(before, value)) return value
  return keptItem(
    uidOf(attribute, before),
    { stored: before, sent: value, checked: isObject(after) ? after : {} },
    view,
  )
}

interface Items {
  readonly stored: readonly unknown[]
  readonly sent: readonly unknown[]
  readonly checked: readonly unknown[]
}

function keptItems(attribute: Attribute, { stored, sent, checked }: Items, view: LinkView): unknown {
  const shown = stored.map((item) =>
    isObject(item) ? shownItem(uidOf(attribute, item), item, view) : undefined,
  )
  const now = checked.map((item) =>
    isObject(item) ? shownItem(uidOf(attribute, item), item, { ...view, isShown: () => true }) : undefined,
  )
  const partners = matchItems(shown, now)
  return sent.map((item, index) => {
    const before = stored[partners[index] ?? -1]
    const after = checked[index]
    if (!isObject(item) || !isObject(before) || !isObject(after)) return item
    return keptItem(uidOf(attribute, before), { stored: before, sent: item, checked: after }, view)
  })
}

/** If the caller sends another id, it means another item. */
function isOther({ id: before }: Source, { id }: Source): boolean {
  return (before ?? null) !== null && (id ?? null) !== null && before !== id
}

function uidOf(attribute: Attribute, item: Source): string {
  return attribute.type === 'component' ? attribute.component : String(item.__component)
}
