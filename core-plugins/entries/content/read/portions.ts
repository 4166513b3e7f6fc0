import { type AnswerPlace, jsonBytes } from '../answer-budget.ts'
import type { Entry } from '../entry/entry.ts'
import type { InverseIds, InverseTotals } from './inverse-ids.ts'
import { keep } from './keep.ts'
import type { Loader } from './loader.ts'
import type { PickedIds } from './picked-ids.ts'
import type { Reading } from './read-deps.ts'
import type { StandInIds } from './stand-in-ids.ts'

/** How many rows are read and processed before other requests get a turn. */
export const rowsAtOnce = 250

/** How many entries have their inverse sides loaded at once: each side may have as many entries as a page. */
const ownersAtOnce = 100

/** On SQLite, reads are synchronous, so other requests get a turn only here. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** More than rows, since ids are found quickly. */
const idsAtOnce = 5_000

/** The ids to load, and the place in the answer that they are for. */
export interface WantedIds {
  /** Each id with the number of times it will be shown. */
  readonly ids: ReadonlyMap<number, number>
  readonly place: AnswerPlace
}

/** Loads entries in portions, with a turn for other requests between them. */
export async function loadByIds(
  loader: Loader,
  { ids, place }: WantedIds,
  reading: Reading,
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (const portion of portionsOf([...ids.keys()], rowsAtOnce)) {
    if (entries.length > 0) await nextTurn()
    const loaded = await loader.load(portion, reading)
    let loadedBytes = 0
    for (const entry of loaded) {
      loadedBytes += (ids.get(entry.id) ?? 1) * jsonBytes(entry)
      entries.push(entry)
    }
    reading.budget.takeBytes(loadedBytes, place)
  }
  return entries
}

/** The ids that match the options; sorted ones are found in a single query, to keep their order. */
export async function pickIds(
  picked: PickedIds,
  { ids, isSorted }: { readonly ids: readonly number[]; readonly isSorted: boolean },
  reading: Reading,
): Promise<readonly number[]> {
  const found: number[] = []
  for (const portion of portionsOf(ids, isSorted ? ids.length : idsAtOnce)) {
    if (found.length > 0) await nextTurn()
    found.push(...(await picked(portion, reading)))
  }
  return found
}

/** The ids of the entries to show, by the ids of those that they stand in for. */
export async function standInsById(
  standIns: StandInIds,
  ids: readonly number[],
  reading: Reading,
): Promise<ReadonlyMap<number, number>> {
  const shownById = new Map<number, number>()
  for (const portion of portionsOf(ids, idsAtOnce)) {
    if (shownById.size > 0) await nextTurn()
    for (const { id, shown } of await standIns(portion, reading)) shownById.set(id, shown)
  }
  return shownById
}

/** Finds the ids in inverse fields, by the id of the entry with the field; never reads much more than the answer can hold. */
export async function idsByOwner(
  inverse: InverseIds,
  owners: ReadonlySet<number>,
  reading: Reading,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const byOwner = new Map<number, number[]>()
  let found = 0
  for (const portion of portionsOf([...owners], ownersAtOnce)) {
    if (found > rowsAtOnce) await nextTurn()
    if (found > reading.budget.entriesLeft) break
    for (const { owner, id } of await inverse(portion, reading)) {
      keep(byOwner, owner, (): number[] => []).push(id)
      found++
    }
  }
  return byOwner
}

/** The number of entries in inverse fields, by the id of the entry with the field. */
export async function totalsByOwner(
  totals: InverseTotals,
  owners: ReadonlySet<number>,
  reading: Reading,
): Promise<ReadonlyMap<number, number>> {
  const byOwner = new Map<number, number>()
  for (const portion of portionsOf([...owners], ownersAtOnce)) {
    if (byOwner.size > 0) await nextTurn()
    for (const { owner, total } of await totals(portion, reading)) byOwner.set(owner, total)
  }
  return byOwner
}

function portionsOf<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size))
}
