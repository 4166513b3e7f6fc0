import type { Values } from '../../../foundation/database/database.ts'
import { type Attribute, isReference, targetNameOf } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import { totalsField } from '../entry/entry-meta.ts'
import type { EntryModel, InverseField } from '../entry/entry-model.ts'
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

/** The ids in a field of an item. */
export interface ReferenceLead extends Occurring {
  readonly ids: readonly number[]
  readonly isMany: boolean
  /** The total number of entries, regardless of the page; undefined: not shown. */
  readonly total?: number
}

/** The entries to show in a field of an item. */
export interface Lead extends Occurring {
  readonly entries: readonly Entry[]
  readonly isMany: boolean
  readonly total?: number
}

/** The references of a field in the items of all holders, by the name of the target type. */
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

/** The references of an inverse field of items. */
export function inverseLeads(
  { attribute: { many: isMany } }: InverseField,
  items: readonly Occurring[],
  byOwner: ReadonlyMap<number, readonly number[]>,
  totals: ReadonlyMap<number, number> | undefined,
): ReferenceLead[] {
  return items.map(({ item, times }) => {
    const ids = byOwner.get(item.id as number) ?? []
    const told = totals === undefined ? {} : { total: totals.get(item.id as number) ?? 0 }
    return { item, times, isMany, ids: isMany ? ids : ids.slice(0, 1), ...told }
  })
}

/** Whether all referenced entries are shown, in the order of the field. */
export function showsAll(picked: PickedEntries | undefined): boolean {
  if (picked === undefined) return true
  const { condition, sort, limitSlot, offsetSlot, withTotal } = picked
  return [condition, sort, limitSlot, offsetSlot].every((each) => each === undefined) && !withTotal
}

/** Replaces ids by those of their stand-ins: each once, at the position of the first entry that it stands in for. */
export function leadsToStandIns(
  leads: readonly ReferenceLead[],
  shownById: ReadonlyMap<number, number>,
): ReferenceLead[] {
  return leads.map((lead) => ({
    ...lead,
    ids: [...new Set(lead.ids.flatMap((id) => shownById.get(id) ?? []))],
  }))
}

/** The ids in leads, each with the number of times it will be shown. */
export function wantedIds(leads: readonly ReferenceLead[]): ReadonlyMap<number, number> {
  const wanted = new Map<number, number>()
  for (const { ids, times } of leads) {
    for (const id of ids) wanted.set(id, (wanted.get(id) ?? 0) + times)
  }
  return wanted
}

/** Reduces each lead to its page. `pickedIds` are the picked ids of all leads, in display order if an order was requested. */
export function pickLeads(
  leads: readonly ReferenceLead[],
  pickedIds: readonly number[],
  picked: PickedEntries,
  values: Values,
): ReferenceLead[] {
  const ranks = new Map(pickedIds.map((id, rank) => [id, rank]))
  const page = pageOf(picked, values)
  return leads.map((lead) => {
    const found = lead.ids.filter((id) => ranks.has(id))
    if (picked.sort !== undefined)
      found.sort((left, right) => (ranks.get(left) ?? 0) - (ranks.get(right) ?? 0))
    if (!lead.isMany) return { ...lead, ids: found }
    const told = picked.withTotal ? { total: found.length } : {}
    return { ...lead, ids: found.slice(page.from, page.to), ...told }
  })
}

/** Leaves out entries that are deleted or hidden. */
export function resolveLeads(leads: readonly ReferenceLead[], entries: readonly Entry[]): Lead[] {
  const byId = new Map<number, Entry>()
  for (const entry of entries) byId.set(entry.id, entry)
  return leads.map(({ ids, ...lead }) => ({ ...lead, entries: presentOf(ids, byId) }))
}

function presentOf(ids: readonly number[], byId: ReadonlyMap<number, Entry>): Entry[] {
  const found: Entry[] = []
  for (const id of ids) {
    const entry = byId.get(id)
    if (entry !== undefined) found.push(entry)
  }
  return found
}

/** Whether no entries are shown, at most their number. */
export function showsNone({ limitSlot }: PickedEntries, values: Values): boolean {
  return limitSlot !== undefined && Number(values[limitSlot]) === 0
}

/** The range of positions that each list shows. */
function pageOf({ limitSlot, offsetSlot }: PickedEntries, values: Values) {
  const from = offsetSlot === undefined ? 0 : Number(values[offsetSlot])
  return { from, to: limitSlot === undefined ? Number.POSITIVE_INFINITY : from + Number(values[limitSlot]) }
}

/** The distinct entries in leads, each with the number of times the whole answer shows it. */
export function occurrencesOf(leads: readonly Lead[]): Occurring[] {
  const times = new Map<Entry, number>()
  for (const lead of leads) {
    for (const entry of lead.entries) times.set(entry, (times.get(entry) ?? 0) + lead.times)
  }
  return [...times].map(([item, count]) => ({ item, times: count }))
}

/** Stores the entries in the items. `left`: the entries that middleware kept, with its changes. */
export function putLeads(leads: readonly Lead[], name: string, left?: ReadonlyMap<number, Entry>): void {
  for (const { item, isMany, entries, total } of leads) {
    const shown = left === undefined ? entries : entries.flatMap(({ id }) => left.get(id) ?? [])
    item[name] = isMany ? shown : (shown[0] ?? null)
    if (total !== undefined) tellTotal(item, name, total)
  }
}

/** Adds to the totals that the item may already have from its other relations. */
function tellTotal(item: Item, name: string, total: number): void {
  const totals = (item[totalsField] ?? {}) as Record<string, number>
  totals[name] = total
  item[totalsField] = totals
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
