import type { Queries, Recipient, Values } from '../../database/database.ts'
import type { Principal } from '../../http/http.ts'
import type { AnswerBudget, AnswerPlace } from '../answer-budget.ts'
import type { Entry } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { type PickedEntries, type PopulateNode, type PopulateTree, queryShowing } from '../query/populate.ts'
import type { ReadQuery } from '../query/read-query.ts'
import type { Visibility } from '../query/visibility.ts'
import type { ReadScope } from './compiled-read.ts'
import { keep } from './keep.ts'
import {
  type Found,
  type Holders,
  inverseLeads,
  itemsByComponent,
  type Lead,
  type Occurring,
  occurrencesOf,
  putLeads,
  type ReferenceLead,
  referenceLeads,
  resolveLeads,
  showsAll,
  sizeOf,
  wantedIds,
} from './leads.ts'
import { createLoaders } from './loaders.ts'
import { idsByOwner, loadByIds, nextTurn, rowsAtOnce } from './portions.ts'
import { createPruner, type Pruner } from './pruner.ts'

/** Replaces ids in entries by the entries they name, level by level, with one query per field and target type. */
export interface Populator {
  /** @throws AppError 400 where the answer would become too large */
  populate(entries: readonly Entry[], reading: Reading): Promise<void>
}

/** One request as it reads. */
export interface Reading {
  readonly queries: Queries
  readonly values: Values
  /** ISO 8601. */
  readonly now: string
  readonly principal: Principal
  readonly budget: AnswerBudget
  readonly recipient: Recipient | undefined
}

/** Undefined where there is nothing to expand. Statements are made when first needed and kept. */
export function createPopulator(
  model: EntryModel,
  { populate: tree, showsIds }: Pick<ReadQuery, 'populate' | 'showsIds'>,
  visibility: Visibility,
  scope: ReadScope,
): Populator | undefined {
  if (tree.size === 0) return undefined
  const loaders = createLoaders(visibility, scope)
  const pruners = new Map<EntryModel, Pruner | undefined>()

  async function populateLevel(holders: readonly Holders[], level: Level, run: Reading): Promise<void> {
    if (level.tree.size === 0 || holders.every(({ items }) => items.length === 0)) return
    const places = [...level.tree].map(([name, node]) => ({ name, node, path: [...level.path, node.field] }))
    await Promise.all(places.map((place) => populateField(place, holders, run)))
  }

  async function populateField(place: Place, holders: readonly Holders[], run: Reading) {
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

  async function populateReferences(place: Place, found: readonly Found[], run: Reading) {
    // All are looked at before any is replaced: a field may be asked for under several names.
    const byTarget = referenceLeads(place.node.field, found)
    for (const [targetName, leads] of byTarget) {
      const target = scope.models.get(targetName)
      if (target === undefined || !mayShow(target, visibility) || leads.length === 0) continue
      await showLeads({ target, place, leads, picked: place.node.picked }, run)
    }
  }

  async function populateInverses(place: Place, holders: readonly Holders[], run: Reading) {
    for (const { model: owner, items } of holders) {
      const field = owner?.inverses.get(place.node.field)
      const target = field && scope.models.get(field.target.name)
      if (field === undefined || target === undefined || items.length === 0) continue
      if (!mayShow(target, visibility)) continue
      const inverse = loaders.inverse(field, place.node)
      const owners = new Set(items.map(({ item }) => item.id as number))
      const leads = inverseLeads(field, items, await idsByOwner(inverse, owners, run))
      // What is picked was picked already.
      await showLeads({ target, place, leads, picked: undefined }, run)
    }
  }

  async function showLeads({ target, place, leads, picked }: Referring, run: Reading) {
    const ids = wantedIds(leads, picked)
    const places = sumOf(ids.values())
    run.budget.takeEntries(places, answerPlace(place))
    const wanted = { ids, isSorted: picked?.sort !== undefined, place: answerPlace(place) }
    const { entries, bytes } = await loadByIds(loaders.byId(target, place.node), wanted, run)
    const resolved = resolveLeads(leads, entries, picked, run.values)
    const occurring = occurrencesOf(resolved)
    if (!showsAll(picked)) {
      const size = sizeOf(occurring)
      run.budget.takeEntries(size.entries - places, answerPlace(place))
      run.budget.takeBytes(size.bytes - bytes, answerPlace(place))
    }
    await show({ target, place, leads: resolved, occurring }, run)
  }

  /** Expands what is asked for in entries that leads show, and puts what middleware leaves of them into the items. */
  async function show({ target, leads, place, occurring }: Showing, run: Reading): Promise<void> {
    if (occurring.length > rowsAtOnce) await nextTurn()
    const entries = occurring.map(({ item }) => item as Entry)
    const complete = async () => {
      await prune(target, entries, run)
      const inside = { tree: place.node.inside, path: place.path }
      await populateLevel([holdersOf(target, occurring)], inside, run)
    }
    const ask = scope.readStages.showing(target.type)
    if (ask === undefined || entries.length === 0) {
      await complete()
      return putLeads(leads, place.name)
    }
    const { principal } = run
    const left = await ask(entries, { principal, query: queryShowing(entries, place.node) }, complete)
    putLeads(leads, place.name, new Map(left.map((entry) => [entry.id, entry])))
  }

  /** What was found hides ids in its rows by itself, but not those inside of its components. */
  async function prune(target: EntryModel, entries: readonly Entry[], { now, queries }: Reading) {
    if (!showsIds || entries.length === 0) return
    const pruner = keep(pruners, target, () => createPruner(target, 'components', visibility, scope))
    await pruner?.prune(entries, now, queries)
  }

  async function populateComponents({ node, path }: Place, found: readonly Found[], run: Reading) {
    const groups = [...itemsByComponent(node.field, found)].map(([uid, items]) => ({
      uid,
      holders: { attributes: scope.schemas.components.get(uid)?.attributes ?? new Map(), items },
    }))
    const { byComponent, inside } = node
    if (byComponent === undefined) {
      const holders = groups.map((group) => group.holders)
      return populateLevel(holders, { tree: inside, path }, run)
    }
    const levels = groups.map(({ uid, holders }) =>
      populateLevel([holders], { tree: byComponent.get(uid) ?? new Map(), path }, run),
    )
    await Promise.all(levels)
  }

  return {
    populate(entries, reading) {
      const items = entries.map((item) => ({ item, times: 1 }))
      return populateLevel([holdersOf(model, items)], { tree, path: [] }, reading)
    },
  }
}

/** What to expand, and the fields that lead there. */
interface Level {
  readonly tree: PopulateTree
  readonly path: readonly string[]
}

/** A field to expand, and the name under which to put what it leads to. */
interface Place {
  readonly name: string
  readonly node: PopulateNode
  readonly path: readonly string[]
}

interface Referring {
  readonly target: EntryModel
  readonly place: Place
  readonly leads: readonly ReferenceLead[]
  /** Undefined: all that the ids name. */
  readonly picked: PickedEntries | undefined
}

interface Showing {
  readonly target: EntryModel
  readonly leads: readonly Lead[]
  readonly place: Place
  readonly occurring: readonly Occurring[]
}

function answerPlace({ path }: Place): AnswerPlace {
  return { parameter: 'populate', path: path.join('.') }
}

function holdersOf(model: EntryModel, items: readonly Occurring[]): Holders {
  return { attributes: model.type.attributes, model, items }
}

/** System types are shown with whatever points at them. */
function mayShow(target: EntryModel, visibility: Visibility): boolean {
  return target.type.system || visibility.mayRead(target.type)
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const each of numbers) sum += each
  return sum
}
