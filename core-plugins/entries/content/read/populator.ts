import { type AnswerPlace, AnswerTooLarge } from '../answer-budget.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel, InverseField } from '../entry/entry-model.ts'
import { type PopulateNode, type PopulateTree, queryShowing } from '../query/populate.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { standInsFor } from '../query/stand-ins.ts'
import type { Visibility } from '../query/visibility.ts'
import { observerOf } from '../read-observer.ts'
import { keep } from './keep.ts'
import {
  type Found,
  type Holders,
  inverseLeads,
  itemsByComponent,
  type Lead,
  leadsToStandIns,
  type Occurring,
  occurrencesOf,
  pickLeads,
  putLeads,
  type ReferenceLead,
  referenceLeads,
  resolveLeads,
  showsAll,
  showsNone,
  wantedIds,
} from './leads.ts'
import { createLoaders, type Loaders } from './loaders.ts'
import { observeInverses, observeReferences, observeStandIns } from './observe-references.ts'
import {
  idsByOwner,
  loadByIds,
  nextTurn,
  pickIds,
  rowsAtOnce,
  standInsById,
  totalsByOwner,
} from './portions.ts'
import { createPruner, type Pruner } from './pruner.ts'
import type { ReadDeps, Reading } from './read-deps.ts'
import { shownInputs } from './read-inputs.ts'
import { withoutFields } from './unasked-fields.ts'

type PopulatingQuery = Pick<ReadQuery, 'populate' | 'standIns' | 'showsIds'>

/** Undefined if there is nothing to populate. */
export function createPopulator(
  model: EntryModel,
  query: PopulatingQuery,
  visibility: Visibility,
  deps: ReadDeps,
): Populator | undefined {
  return query.populate.size === 0 ? undefined : new Populator(model, query, visibility, deps)
}

/**
 * Replaces ids in entries with the entries themselves, level by level, with one query per field and target
 * type. Statements are prepared on first use and kept.
 */
export class Populator {
  readonly #model: EntryModel
  readonly #query: PopulatingQuery
  readonly #visibility: Visibility
  readonly #deps: ReadDeps
  readonly #loaders: Loaders
  readonly #pruners = new Map<EntryModel, Pruner | undefined>()
  readonly #inputs = new Map<EntryModel, ReturnType<typeof shownInputs>>()

  constructor(model: EntryModel, query: PopulatingQuery, visibility: Visibility, deps: ReadDeps) {
    this.#model = model
    this.#query = query
    this.#visibility = visibility
    this.#deps = deps
    this.#loaders = createLoaders(query.standIns, visibility, deps)
  }

  /** @throws AppError 400 if the answer would become too large */
  populate(entries: readonly Entry[], reading: Reading): Promise<void> {
    const items = entries.map((item) => ({ item, times: 1 }))
    const level = { tree: this.#query.populate, path: [] }
    return this.#populateLevel([holdersOf(this.#model, items)], level, reading)
  }

  async #populateLevel(holders: readonly Holders[], level: Level, run: Reading): Promise<void> {
    if (level.tree.size === 0 || holders.every(({ items }) => items.length === 0)) return
    const places = [...level.tree].map(([name, node]) => ({ name, node, path: [...level.path, node.field] }))
    await Promise.all(places.map((place) => this.#populateField(place, holders, run)))
  }

  async #populateField(place: Place, holders: readonly Holders[], run: Reading) {
    const found = holders.flatMap((holder) => {
      const attribute = holder.attributes.get(place.node.field)
      return attribute === undefined ? [] : [{ holder, attribute }]
    })
    await Promise.all([
      this.#populateReferences(place, found, run),
      this.#populateInverses(place, holders, run),
      this.#populateComponents(place, found, run),
    ])
  }

  async #populateReferences(place: Place, found: readonly Found[], run: Reading) {
    // All values are read before any is replaced, because a field may be requested under several names.
    const byTarget = referenceLeads(place.node.field, found)
    for (const [targetName, leads] of byTarget) {
      const target = this.#deps.models.get(targetName)
      if (target === undefined || !mayShow(target, this.#visibility) || leads.length === 0) continue
      const shown = await this.#showStandIns({ target, place, leads }, run)
      const picked = await this.#pick({ target, place, leads: shown }, run)
      await this.#showLeads({ target, place, leads: picked }, run)
    }
  }

  /** Replaces the referenced ids by those of their stand-ins. */
  async #showStandIns({ target, place, leads }: Referring, run: Reading): Promise<readonly ReferenceLead[]> {
    const standIns = this.#loaders.standIns(target)
    if (standIns === undefined) return leads
    const named = [...wantedIds(leads).keys()]
    if (named.length > maxCandidates) throw tooManyCandidates(place)
    observeStandIns(this.#query.standIns, target, run.recipient)
    return leadsToStandIns(leads, await standInsById(standIns, named, run))
  }

  /** Reduces the referenced ids to those that match the options of the field. */
  async #pick({ target, place, leads }: Referring, run: Reading): Promise<readonly ReferenceLead[]> {
    const { picked } = place.node
    if (picked === undefined || showsAll(picked)) return leads
    const candidates = [...wantedIds(leads).keys()]
    if (candidates.length > maxCandidates) throw tooManyCandidates(place)
    this.#observe(target, place, candidates, run)
    const wanted = { ids: candidates, isSorted: picked.sort !== undefined }
    const isAsked = picked.withTotal || !showsNone(picked, run.values)
    const ids = isAsked ? await pickIds(this.#loaders.picked(target, picked), wanted, run) : []
    return pickLeads(leads, ids, picked, run.values)
  }

  async #populateInverses(place: Place, holders: readonly Holders[], run: Reading) {
    for (const { model: owner, items } of holders) {
      const field = owner?.inverses.get(place.node.field)
      const target = field && this.#deps.models.get(field.target.name)
      if (field === undefined || target === undefined || items.length === 0) continue
      if (!mayShow(target, this.#visibility)) continue
      const owners = new Set(items.map(({ item }) => item.id as number))
      observeStandIns(this.#query.standIns, target, run.recipient)
      const isRepresented = owner !== undefined && standInsFor(this.#query.standIns, owner) !== undefined
      observeInverses({ field, owners: isRepresented ? undefined : owners }, place.node, run.recipient)
      const [ids, totals] = await this.#readInverses(field, owners, place.node, run)
      await this.#showLeads({ target, place, leads: inverseLeads(field, items, ids, totals) }, run)
    }
  }

  /** The ids and totals by the id of the entry with the field. */
  async #readInverses(field: InverseField, owners: ReadonlySet<number>, node: PopulateNode, run: Reading) {
    const { picked } = node
    const isEmpty = picked !== undefined && showsNone(picked, run.values)
    return Promise.all([
      isEmpty ? new Map<number, number[]>() : idsByOwner(this.#loaders.inverse(field, node), owners, run),
      picked?.withTotal ? totalsByOwner(this.#loaders.inverseTotals(field, picked), owners, run) : undefined,
    ])
  }

  async #showLeads({ target, place, leads }: Referring, run: Reading) {
    const ids = wantedIds(leads)
    this.#observe(target, place, [...ids.keys()], run)
    run.budget.takeEntries(sumOf(ids.values()), answerPlace(place))
    run.budget.takeBytes(bytesOfTotals(leads, place.name), answerPlace(place))
    const wanted = { ids, place: answerPlace(place) }
    const entries = await loadByIds(this.#loaders.byId(target, place.node), wanted, run)
    const resolved = resolveLeads(leads, entries)
    await this.#show({ target, place, leads: resolved, occurring: occurrencesOf(resolved) }, run)
  }

  #observe(target: EntryModel, { node }: Place, ids: readonly number[], { recipient }: Reading) {
    if (observerOf(recipient) === undefined) return
    const inputs = keep(this.#inputs, target, () => shownInputs(target, this.#visibility, this.#deps))
    const stages = this.#deps.readStages
    observeReferences({ target, ids, node, inputs, stages }, recipient)
  }

  /** Expands further fields of the entries in leads, and stores the entries that middleware keeps in the items. */
  async #show({ target, leads, place, occurring }: Showing, run: Reading): Promise<void> {
    if (occurring.length > rowsAtOnce) await nextTurn()
    const entries = occurring.map(({ item }) => item as Entry)
    const complete = async () => {
      await this.#prune(target, entries, run)
      const inside = { tree: place.node.inside, path: place.path }
      await this.#populateLevel([holdersOf(target, occurring)], inside, run)
    }
    const { readStages } = this.#deps
    if (!readStages.has(target.type) || entries.length === 0) {
      await complete()
      return putLeads(leads, place.name)
    }
    const ask = readStages.showing(target.type)
    const { principal } = run
    if (ask === undefined) await complete()
    const left =
      ask === undefined
        ? entries
        : await ask(entries, { principal, query: queryShowing(entries, place.node) }, complete)
    const unasked = unaskedIn(place.node, target)
    const shown = left.map((entry) => withoutFields(entry, unasked))
    putLeads(leads, place.name, new Map(shown.map((entry) => [entry.id, entry])))
  }

  /** The query itself hides ids from rows, but not those inside components. */
  async #prune(target: EntryModel, entries: readonly Entry[], run: Reading) {
    if (!this.#query.showsIds || entries.length === 0) return
    const pruner = keep(this.#pruners, target, () =>
      createPruner(target, 'components', this.#visibility, this.#deps),
    )
    await pruner?.prune(entries, run)
  }

  async #populateComponents({ node, path }: Place, found: readonly Found[], run: Reading) {
    const groups = [...itemsByComponent(node.field, found)].map(([uid, items]) => ({
      uid,
      holders: { attributes: this.#deps.schemas.components.get(uid)?.attributes ?? new Map(), items },
    }))
    const { byComponent, inside } = node
    if (byComponent === undefined) {
      const holders = groups.map((group) => group.holders)
      return this.#populateLevel(holders, { tree: inside, path }, run)
    }
    const levels = groups.map(({ uid, holders }) =>
      this.#populateLevel([holders], { tree: byComponent.get(uid) ?? new Map(), path }, run),
    )
    await Promise.all(levels)
  }
}

/** The limit of ids of one field on one page: only some may be shown, but all have to be looked up. */
const maxCandidates = 50_000

function tooManyCandidates({ node, path }: Place): AnswerTooLarge {
  const much = `${node.field} leads to more than ${maxCandidates} entries on this page`
  return new AnswerTooLarge({
    path: 'populate',
    code: 'maxEntries',
    message: `${path.join('.')}: ${much}; ask for fewer at a time, or without filters, sort, limit and total`,
  })
}

/** Fields that are read only for middleware. */
function unaskedIn({ picked, inside }: PopulateNode, { shownNames }: EntryModel): readonly string[] {
  if (picked === undefined) return []
  return [...shownNames].filter((name) => !picked.fields.has(name) && !inside.has(name))
}

/** What to expand, and the path of fields that leads there. */
interface Level {
  readonly tree: PopulateTree
  readonly path: readonly string[]
}

/** A field to expand, and the name under which to store the result. */
interface Place {
  readonly name: string
  readonly node: PopulateNode
  readonly path: readonly string[]
}

interface Referring {
  readonly target: EntryModel
  readonly place: Place
  readonly leads: readonly ReferenceLead[]
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

/** System types are visible wherever visible entries refer to them. */
function mayShow(target: EntryModel, visibility: Visibility): boolean {
  return target.type.system || visibility.mayRead(target.type)
}

/** The size of `"comments":12,` and its share of the surrounding object. */
function bytesOfTotals(leads: readonly ReferenceLead[], name: string): number {
  let bytes = 0
  for (const { total, times } of leads) if (total !== undefined) bytes += times * (name.length + 25)
  return bytes
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const each of numbers) sum += each
  return sum
}
