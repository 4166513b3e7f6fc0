import type { Values } from '../../database/database.ts'
import type { Attribute } from '../../schemas/schemas.ts'
import { jsonBytes } from '../answer-budget.ts'
import type { Entry } from '../content.ts'
import { type EntryModel, type InverseField, isReference, targetNameOf } from '../entry-model.ts'
import type { PickedEntries } from '../query/populate.ts'
import { keep } from './keep.ts'
import { componentItems } from './pruner.ts'

/** An entry, or an item of a component, whose fields are expanded. */
export type Item = Record<string, unknown>

/** An item, and how often it stands in the answer: entries that others share are one object in many places. */
export interface Occurring {
  readonly item: Item
  readonly times: number
}

/** Everything of one level that has the same attributes: entries of a type, or items of a component. */
export interface Holders {
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Undefined for components, which have no inverse fields. */
  readonly model?: EntryModel
  readonly items: readonly Occurring[]
}

/** The attribute of a level that a field to expand means. */
export interface Found {
  readonly holder: Holders
  readonly attribute: Attribute
}

/** A field of an item, and the ids that stand in it. */
export interface ReferenceLead extends Occurring {
  readonly ids: readonly number[]
  readonly isMany: boolean
}

/** A field of an item, and the entries that it is to show. */
export interface Lead extends Occurring {
  readonly entries: readonly Entry[]
  readonly isMany: boolean
}

/** What the items of all holders refer to by a field, by the name of the type. */
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

/** What the inverse fields of items lead to. */
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

/** Whether all entries are shown that references lead to: then it is known before they are loaded how often. */
export function showsAll(picked: PickedEntries | undefined): boolean {
  const { condition, limitSlot, offsetSlot } = picked ?? {}
  return condition === undefined && limitSlot === undefined && offsetSlot === undefined
}

/** The ids that leads refer to, each with how often it will be shown: once where that is not known yet. */
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

/** What is gone or hidden is left out. */
export function resolveLeads(
  leads: readonly ReferenceLead[],
  entries: readonly Entry[],
  picked: PickedEntries | undefined,
  values: Values,
): Lead[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const ranks = picked?.sort && new Map(entries.map((entry, rank) => [entry, rank]))
  const page = picked && pageOf(picked, values)
  return leads.map(({ item, times, ids, isMany }) => {
    const found = ids.flatMap((id) => byId.get(id) ?? [])
    if (ranks !== undefined) found.sort((left, right) => (ranks.get(left) ?? 0) - (ranks.get(right) ?? 0))
    const isWhole = page === undefined || !isMany
    return { item, times, isMany, entries: isWhole ? found : found.slice(page.from, page.to) }
  })
}

/** Which of the entries of each list are shown. */
function pageOf({ limitSlot, offsetSlot }: PickedEntries, values: Values) {
  const from = offsetSlot === undefined ? 0 : Number(values[offsetSlot])
  return { from, to: limitSlot === undefined ? Number.POSITIVE_INFINITY : from + Number(values[limitSlot]) }
}

/** The entries that leads show, each once, with how often all of the answer shows it. */
export function occurrencesOf(leads: readonly Lead[]): Occurring[] {
  const times = new Map<Entry, number>()
  for (const lead of leads) {
    for (const entry of lead.entries) times.set(entry, (times.get(entry) ?? 0) + lead.times)
  }
  return [...times].map(([item, count]) => ({ item, times: count }))
}

/** How many entries, and how many bytes, these add to the answer. */
export function sizeOf(shown: readonly Occurring[]): { readonly entries: number; readonly bytes: number } {
  let [entries, bytes] = [0, 0]
  for (const { item, times } of shown) {
    entries += times
    bytes += times * jsonBytes(item)
  }
  return { entries, bytes }
}

/** Puts the entries into the items; `left`: those that middleware has left of them, and as it has left them. */
export function putLeads(leads: readonly Lead[], name: string, left?: ReadonlyMap<number, Entry>): void {
  for (const { item, isMany, entries } of leads) {
    const shown = left === undefined ? entries : entries.flatMap(({ id }) => left.get(id) ?? [])
    item[name] = isMany ? shown : (shown[0] ?? null)
  }
}

/** The items of components that stand in a field, by the component. */
export function itemsByComponent(field: string, found: readonly Found[]): ReadonlyMap<string, Occurring[]> {
  const byUid = new Map<string, Occurring[]>()
  for (const { holder, attribute } of found) {
    for (const { item: holderItem, times } of holder.items) {
      for (const { uid, item } of componentItems(attribute, holderItem[field])) {
        keep(byUid, uid, (): Occurring[] => []).push({ item, times })
      }
    }
  }
  return byUid
}
