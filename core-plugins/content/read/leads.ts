import type { Values } from '../../database/database.ts'
import { type Attribute, isReference, targetNameOf } from '../../schemas/schemas.ts'
import { jsonBytes } from '../answer-budget.ts'
import type { Entry } from '../entry.ts'
import type { EntryModel, InverseField } from '../entry-model.ts'
import type { PickedEntries } from '../query/populate.ts'
import { keep } from './keep.ts'
import { componentItems } from './pruner.ts'

/** An entry, or an item of a component, whose fields are expanded. */
export type Item = Record<string, unknown>

/** An item, and how often it appears in the answer: a shared entry is one object in many places. */
export interface Occurring {
  readonly item: Item
  readonly times: number
}

/** All holders of one level with the same attributes: entries of a type, or items of a component. */
export interface Holders {
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Undefined for components, which have no inverse fields. */
  readonly model?: EntryModel
  readonly items: readonly Occurring[]
}

/** The attribute at a level that a field to expand refers to. */
export interface Found {
  readonly holder: Holders
  readonly attribute: Attribute
}

/** A field of an item, and the ids in it. */
export interface ReferenceLead extends Occurring {
  readonly ids: readonly number[]
  readonly isMany: boolean
}

/** A field of an item, and the entries to show in it. */
export interface Lead extends Occurring {
  readonly entries: readonly Entry[]
  readonly isMany: boolean
}

/** What a field refers to in the items of all holders, by type name. */
export function referenceLeads(field: string, found: readonly Found[]): ReadonlyMap<string, ReferenceLead[]> {
  const byTarget = new Map<string, ReferenceLead[]>()
  for (const { holder, attribute } of found) {
    if (!isReference(attribute) || holder.model?.inverses.has(field) === true) continue
    const leads = byTarget.get(targetNameOf(attribute)) ?? []
    byTarget.set(targetNameOf(attribute), leads)
    for (const { item, times } of holder.items) {
      const value = item[field]
      if (typeof value === 'number') leads.push({ item, times, ids: [value], isMany: false })
      else if (Array.isArray(value)) leads.push({ item, times, ids: value, isMany: true })
    }
  }
  return byTarget
}

/** What the inverse fields of items refer to. */
export function inverseLeads(
  { attribute: { many: isMany } }: InverseField,
  items: readonly Occurring[],
  byOwner: ReadonlyMap<number, readonly number[]>,
): ReferenceLead[] {
  return items.map(({ item, times }) => {
    const ids = byOwner.get(item.id as number) ?? []
    return { item, times, isMany, ids: isMany ? ids : ids.slice(0, 1) }
  })
}

/** Whether all referenced entries are shown: how often is then known before they are loaded. */
export function showsAll(picked: PickedEntries | undefined): boolean {
  const { condition, limitSlot, offsetSlot } = picked ?? {}
  return condition === undefined && limitSlot === undefined && offsetSlot === undefined
}

/** The ids that leads refer to, each with how often it will be shown, or once if that is not known yet. */
export function wantedIds(
  leads: readonly ReferenceLead[],
  picked: PickedEntries | undefined,
): ReadonlyMap<number, number> {
  const isWhole = showsAll(picked)
  const wanted = new Map<number, number>()
  for (const { ids, times } of leads) {
    for (const id of ids) wanted.set(id, isWhole ? (wanted.get(id) ?? 0) + times : 1)
  }
  return wanted
}

/** Leaves out entries that are deleted or hidden. */
export function resolveLeads(
  leads: readonly ReferenceLead[],
  entries: readonly Entry[],
  picked: PickedEntries | undefined,
  values: Values,
): Lead[] {
  const byId = new Map<number, Entry>()
  for (const entry of entries) byId.set(entry.id, entry)
  const ranks = picked?.sort && new Map(entries.map((entry, rank) => [entry, rank]))
  const page = picked && pageOf(picked, values)
  return leads.map(({ item, times, ids, isMany }) => {
    const found = presentOf(ids, byId)
    if (ranks !== undefined) found.sort((left, right) => (ranks.get(left) ?? 0) - (ranks.get(right) ?? 0))
    const isWhole = page === undefined || !isMany
    return { item, times, isMany, entries: isWhole ? found : found.slice(page.from, page.to) }
  })
}

function presentOf(ids: readonly number[], byId: ReadonlyMap<number, Entry>): Entry[] {
  const found: Entry[] = []
  for (const id of ids) {
    const entry = byId.get(id)
    if (entry !== undefined) found.push(entry)
  }
  return found
}

/** Which of the entries of each list are shown. */
function pageOf({ limitSlot, offsetSlot }: PickedEntries, values: Values) {
  const from = offsetSlot === undefined ? 0 : Number(values[offsetSlot])
  return { from, to: limitSlot === undefined ? Number.POSITIVE_INFINITY : from + Number(values[limitSlot]) }
}

/** The distinct entries that leads show, each with how often the whole answer shows it. */
export function occurrencesOf(leads: readonly Lead[]): Occurring[] {
  const times = new Map<Entry, number>()
  for (const lead of leads) {
    for (const entry of lead.entries) times.set(entry, (times.get(entry) ?? 0) + lead.times)
  }
  return [...times].map(([item, count]) => ({ item, times: count }))
}

/** How many entries and bytes these add to the answer. */
export function sizeOf(shown: readonly Occurring[]): { readonly entries: number; readonly bytes: number } {
  let [entries, bytes] = [0, 0]
  for (const { item, times } of shown) {
    entries += times
    bytes += times * jsonBytes(item)
  }
  return { entries, bytes }
}

/** Puts the entries into the items. `left`: those that middleware kept, as it changed them. */
export function putLeads(leads: readonly Lead[], name: string, left?: ReadonlyMap<number, Entry>): void {
  for (const { item, isMany, entries } of leads) {
    const shown = left === undefined ? entries : entries.flatMap(({ id }) => left.get(id) ?? [])
    item[name] = isMany ? shown : (shown[0] ?? null)
  }
}

/** The component items in a field, by component. */
export function itemsByComponent(field: string, found: readonly Found[]): ReadonlyMap<string, Occurring[]> {
  const byUid = new Map<string, Occurring[]>()
  for (const { holder, attribute } of found) {
    if (isReference(attribute)) continue
    for (const { item: holderItem, times } of holder.items) {
      for (const { uid, item } of componentItems(attribute, holderItem[field])) {
        keep(byUid, uid, (): Occurring[] => []).push({ item, times })
      }
    }
  }
  return byUid
}
