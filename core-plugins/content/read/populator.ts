import type { Queries, Values } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
import type { Attribute } from '../../schemas/schemas.ts'
import type { Entry } from '../content.ts'
import { type EntryModel, type InverseField, isReference, targetNameOf } from '../entry-model.ts'
import type { PopulateTree } from '../query/populate.ts'
import type { ReadScope, ReadVisibility } from './compiled-read.ts'
import { compileInverseLoader, type InverseRow, ownerKey } from './inverse-loader.ts'
import { compileLoader, type Loader } from './loader.ts'
import { componentItems } from './pruner.ts'

/** Replaces ids in entries by the entries they name, level by level, with one query per field and target type. */
export interface Populator {
  populate(entries: readonly Entry[], queries: Queries, values: Values): Promise<void>
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

interface Run {
  readonly queries: Queries
  readonly values: Values
  /** Counts down; shared by all levels of one request. */
  budget: number
}

/** Undefined where there is nothing to expand. Statements are made when first needed and kept. */
export function createPopulator(
  model: EntryModel,
  tree: PopulateTree,
  visibility: ReadVisibility,
  scope: ReadScope,
): Populator | undefined {
  if (tree.size === 0) return undefined
  const loaders = createLoaders(visibility, scope)

  async function populateLevel(holders: readonly Holders[], level: PopulateTree, run: Run): Promise<void> {
    if (level.size === 0 || holders.every(({ items }) => items.length === 0)) return
    await Promise.all([...level].map(([name, inside]) => populateField(name, inside, holders, run)))
  }

  async function populateField(name: string, inside: PopulateTree, holders: readonly Holders[], run: Run) {
    const found = holders.flatMap((holder) => {
      const attribute = holder.attributes.get(name)
      return attribute === undefined ? [] : [{ holder, attribute }]
    })
    await Promise.all([
      populateReferences(name, inside, found, run),
      populateInverses(name, inside, holders, run),
      populateComponents(name, inside, found, run),
    ])
  }

  async function populateReferences(name: string, inside: PopulateTree, found: readonly Found[], run: Run) {
    for (const [targetName, items] of itemsByTarget(name, found)) {
      const target = scope.models.get(targetName)
      if (target === undefined || !mayShow(target, visibility)) continue
      const ids = idsIn(items, name)
      const entries = await load(loaders.byId(target), ids, run)
      await populateLevel([holdersOf(target, entries)], inside, run)
      replaceIds(items, name, entries)
    }
  }

  async function load(loader: Loader, ids: ReadonlySet<number>, run: Run): Promise<readonly Entry[]> {
    if (ids.size === 0) return []
    spend(run, ids.size)
    return loader.load([...ids], run.queries, run.values)
  }

  async function populateInverses(name: string, inside: PopulateTree, holders: readonly Holders[], run: Run) {
    for (const { model: owner, items } of holders) {
      const field = owner?.inverses.get(name)
      const target = field && scope.models.get(field.target.name)
      if (field === undefined || target === undefined || items.length === 0) continue
      if (!mayShow(target, visibility)) continue
      const rows = await loaders.inverse(field)(
        items.map(({ id }) => id as number),
        run.queries,
        run.values,
      )
      spend(run, rows.length)
      await populateLevel([holdersOf(target, rows)], inside, run)
      assignInverse(items, field, rows)
    }
  }

  async function populateComponents(name: string, inside: PopulateTree, found: readonly Found[], run: Run) {
    const byUid = new Map<string, Record<string, unknown>[]>()
    for (const { holder, attribute } of found) {
      for (const holderItem of holder.items) {
        for (const { uid, item } of componentItems(attribute, holderItem[name])) {
          byUid.set(uid, [...(byUid.get(uid) ?? []), item])
        }
      }
    }
    const groups = [...byUid].map(([uid, items]) => ({
      attributes: scope.schemas.components.get(uid)?.attributes ?? new Map(),
      items,
    }))
    await populateLevel(groups, inside, run)
  }

  return {
    populate: (entries, queries, values) =>
      populateLevel([holdersOf(model, entries)], tree, { queries, values, budget: maxPopulatedEntries }),
  }
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
  const byId = new Map<string, Loader>()
  const inverses = new Map<InverseField, ReturnType<typeof compileInverseLoader>>()
  return {
    byId: (target: EntryModel) =>
      keep(byId, target.type.name, () => compileLoader(target, visibility, scope)),
    inverse: (field: InverseField) =>
      keep(inverses, field, () => compileInverseLoader(field, visibility, scope)),
  }
}

function keep<Key, Value>(kept: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = kept.get(key)
  if (present !== undefined) return present
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

/** What is gone or hidden becomes null, or is left out of an array. */
function replaceIds(
  items: readonly Record<string, unknown>[],
  name: string,
  entries: readonly Entry[],
): void {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  for (const item of items) {
    const value = item[name]
    if (typeof value === 'number') item[name] = byId.get(value) ?? null
    else if (Array.isArray(value)) item[name] = value.flatMap((id) => byId.get(id as number) ?? [])
  }
}

function assignInverse(
  items: readonly Record<string, unknown>[],
  field: InverseField,
  rows: readonly InverseRow[],
) {
  const byOwner = new Map<number, Record<string, unknown>[]>()
  for (const { [ownerKey]: owner, ...entry } of rows) {
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), entry])
  }
  for (const item of items) {
    const related = byOwner.get(item.id as number) ?? []
    item[field.name] = field.attribute.many ? related : (related[0] ?? null)
  }
}
