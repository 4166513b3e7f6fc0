import type { Queries, Values } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
import type { Attribute } from '../../schemas/schemas.ts'
import type { Entry } from '../content.ts'
import { type EntryModel, type InverseField, isReference, targetNameOf } from '../entry-model.ts'
import type { PickedEntries, PopulateNode, PopulateTree } from '../query/populate.ts'
import type { ReadQuery } from '../query/read-query.ts'
import type { ReadScope, ReadVisibility } from './compiled-read.ts'
import { compileInverseLoader, type InverseLoader, type InverseRow, ownerKey } from './inverse-loader.ts'
import { compileLoader, type Loader } from './loader.ts'
import { componentItems, createPruner, type Pruner } from './pruner.ts'

/** Replaces ids in entries by the entries they name, level by level, with one query per field and target type. */
export interface Populator {
  populate(entries: readonly Entry[], reading: Reading): Promise<void>
}

/** One request as it reads. */
export interface Reading {
  readonly queries: Queries
  readonly values: Values
  /** ISO 8601. */
  readonly now: string
}

/** Everything of one level that has the same attributes: entries of a type, or items of a component. */
interface Holders {
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Undefined for components, which have no inverse fields. */
  readonly model?: EntryModel
  readonly items: readonly Record<string, unknown>[]
}

/** Enough for a page of 100 entries with 100 related ones each; more is a mistake or an attack. */
const maxPopulatedEntries = 10_000

interface Run extends Reading {
  /** Counts down; shared by all levels of one request. */
  budget: number
}

/** Undefined where there is nothing to expand. Statements are made when first needed and kept. */
export function createPopulator(
  model: EntryModel,
  { populate: tree, showsIds }: Pick<ReadQuery, 'populate' | 'showsIds'>,
  visibility: ReadVisibility,
  scope: ReadScope,
): Populator | undefined {
  if (tree.size === 0) return undefined
  const loaders = createLoaders(visibility, scope)
  const pruners = new Map<EntryModel, Pruner | undefined>()

  /** What was found hides ids in its rows by itself, but not those inside of its components. */
  async function prune(
    target: EntryModel,
    entries: readonly Record<string, unknown>[],
    { now, queries }: Run,
  ): Promise<void> {
    if (!showsIds || entries.length === 0) return
    const pruner = keep(pruners, target, () => createPruner(target, 'components', visibility, scope))
    await pruner?.prune(entries, now, queries)
  }

  async function populateLevel(holders: readonly Holders[], level: PopulateTree, run: Run): Promise<void> {
    if (level.size === 0 || holders.every(({ items }) => items.length === 0)) return
    await Promise.all([...level].map(([name, node]) => populateField({ name, node }, holders, run)))
  }

  async function populateField(place: Place, holders: readonly Holders[], run: Run) {
    const found = holders.flatMap((holder) => {
      const attribute = holder.attributes.get(place.node.field)
      return attribute === undefined ? [] : [{ holder, attribute }]
    })
    await Promise.all([
      populateReferences(place, found, run),
      populateInverses(place, holders, run),
      populateComponents(place, found, run),
    ])
  }

  async function populateReferences({ name, node }: Place, found: readonly Found[], run: Run) {
    for (const [targetName, items] of itemsByTarget(node.field, found)) {
      const target = scope.models.get(targetName)
      if (target === undefined || !mayShow(target, visibility)) continue
      const ids = idsIn(items, node.field)
      const entries = await load(loaders.byId(target, node), ids, run)
      await prune(target, entries, run)
      await populateLevel([holdersOf(target, entries)], node.inside, run)
      const shown = pageOf(node.picked, run.values)
      replaceIds(items, { name, field: node.field }, shown, entries)
    }
  }

  async function load(loader: Loader, ids: ReadonlySet<number>, run: Run): Promise<readonly Entry[]> {
    if (ids.size === 0) return []
    spend(run, ids.size)
    return loader.load([...ids], run.queries, run.values)
  }

  async function populateInverses({ name, node }: Place, holders: readonly Holders[], run: Run) {
    for (const { model: owner, items } of holders) {
      const field = owner?.inverses.get(node.field)
      const target = field && scope.models.get(field.target.name)
      if (field === undefined || target === undefined || items.length === 0) continue
      if (!mayShow(target, visibility)) continue
      const rows = await loaders.inverse(field, node)(
        items.map(({ id }) => id as number),
        run.queries,
        run.values,
      )
      spend(run, rows.length)
      await prune(target, rows, run)
      await populateLevel([holdersOf(target, rows)], node.inside, run)
      assignInverse(items, name, field, rows)
    }
  }

  async function populateComponents({ node }: Place, found: readonly Found[], run: Run) {
    const byUid = new Map<string, Record<string, unknown>[]>()
    for (const { holder, attribute } of found) {
      for (const holderItem of holder.items) {
        for (const { uid, item } of componentItems(attribute, holderItem[node.field])) {
          const items = byUid.get(uid)
          if (items === undefined) byUid.set(uid, [item])
          else items.push(item)
        }
      }
    }
    const groupOf = (uid: string, items: readonly Record<string, unknown>[]): Holders => ({
      attributes: scope.schemas.components.get(uid)?.attributes ?? new Map(),
      items,
    })
    const { byComponent } = node
    if (byComponent === undefined) {
      const groups = [...byUid].map(([uid, items]) => groupOf(uid, items))
      return populateLevel(groups, node.inside, run)
    }
    const levels = [...byUid].map(([uid, items]) =>
      populateLevel([groupOf(uid, items)], byComponent.get(uid) ?? new Map(), run),
    )
    await Promise.all(levels)
  }

  return {
    populate: (entries, reading) =>
      populateLevel([holdersOf(model, entries)], tree, { ...reading, budget: maxPopulatedEntries }),
  }
}

/** A field to expand, and the name under which to put what it leads to. */
interface Place {
  readonly name: string
  readonly node: PopulateNode
}

interface Found {
  readonly holder: Holders
  readonly attribute: Attribute
}

function holdersOf(model: EntryModel, items: readonly Record<string, unknown>[]): Holders {
  return { attributes: model.type.attributes, model, items }
}

/** System types are shown with whatever points at them. */
function mayShow(target: EntryModel, visibility: ReadVisibility): boolean {
  return target.type.system || visibility.mayRead(target.type)
}

function spend(run: Run, entries: number): void {
  run.budget -= entries
  if (run.budget >= 0) return
  const message = `expands to more than ${maxPopulatedEntries} entries; ask for fewer at a time`
  throw AppError.invalid([{ path: 'populate', code: 'maxItems', message }])
}

function createLoaders(visibility: ReadVisibility, scope: ReadScope) {
  const whole = new Map<string, Loader>()
  const picked = new Map<PopulateNode, Map<string, Loader>>()
  const inverses = new Map<InverseField, Map<PickedEntries | undefined, InverseLoader>>()
  return {
    byId(target: EntryModel, node: PopulateNode): Loader {
      const kept = node.picked === undefined ? whole : keep(picked, node, () => new Map<string, Loader>())
      return keep(kept, target.type.name, () => compileLoader(target, node.picked, visibility, scope))
    },
    inverse(field: InverseField, node: PopulateNode): InverseLoader {
      const kept = keep(inverses, field, () => new Map<PickedEntries | undefined, InverseLoader>())
      return keep(kept, node.picked, () => compileInverseLoader(field, node.picked, visibility, scope))
    },
  }
}

function keep<Key, Value>(kept: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = kept.get(key)
  if (present !== undefined || kept.has(key)) return present as Value
  const made = make()
  kept.set(key, made)
  return made
}

function itemsByTarget(name: string, found: readonly Found[]): Map<string, Record<string, unknown>[]> {
  const byTarget = new Map<string, Record<string, unknown>[]>()
  for (const { holder, attribute } of found) {
    const isInverse = holder.model?.inverses.has(name) === true
    if (!isReference(attribute) || isInverse) continue
    const target = targetNameOf(attribute)
    byTarget.set(target, [...(byTarget.get(target) ?? []), ...holder.items])
  }
  return byTarget
}

function idsIn(items: readonly Record<string, unknown>[], name: string): Set<number> {
  const ids = new Set<number>()
  for (const item of items) {
    const value = item[name]
    if (typeof value === 'number') ids.add(value)
    else if (Array.isArray(value)) for (const id of value) ids.add(id as number)
  }
  return ids
}

/** Which of the entries of each list are shown. */
interface Page {
  readonly isSorted: boolean
  readonly from: number
  readonly to: number
}

const wholeList: Page = { isSorted: false, from: 0, to: Number.POSITIVE_INFINITY }

function pageOf(picked: PickedEntries | undefined, values: Values): Page {
  if (picked === undefined) return wholeList
  const count = (slot: string | undefined, fallback: number) =>
    slot === undefined ? fallback : Number(values[slot])
  const from = count(picked.offsetSlot, 0)
  const to = from + count(picked.limitSlot, Number.POSITIVE_INFINITY)
  return { isSorted: picked.sort !== undefined, from, to }
}

/** What is gone or hidden becomes null, or is left out of an array. */
function replaceIds(
  items: readonly Record<string, unknown>[],
  { name, field }: { readonly name: string; readonly field: string },
  page: Page,
  entries: readonly Entry[],
): void {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const ranks = page.isSorted ? new Map(entries.map((entry, rank) => [entry, rank])) : undefined
  for (const item of items) {
    const value = item[field]
    if (typeof value === 'number') item[name] = byId.get(value) ?? null
    if (!Array.isArray(value)) continue
    const found: Entry[] = value.flatMap((id) => byId.get(id as number) ?? [])
    if (ranks !== undefined) found.sort((left, right) => (ranks.get(left) ?? 0) - (ranks.get(right) ?? 0))
    item[name] = page === wholeList ? found : found.slice(page.from, page.to)
  }
}

function assignInverse(
  items: readonly Record<string, unknown>[],
  name: string,
  field: InverseField,
  rows: readonly InverseRow[],
) {
  const byOwner = new Map<number, Record<string, unknown>[]>()
  for (const { [ownerKey]: owner, ...entry } of rows) {
    const entries = byOwner.get(owner)
    if (entries === undefined) byOwner.set(owner, [entry])
    else entries.push(entry)
  }
  for (const item of items) {
    const related = byOwner.get(item.id as number) ?? []
    item[name] = field.attribute.many ? related : (related[0] ?? null)
  }
}
