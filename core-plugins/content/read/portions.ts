import { type AnswerPlace, jsonBytes } from '../answer-budget.ts'
import type { Entry } from '../entry.ts'
import type { InverseIds } from './inverse-ids.ts'
import { keep } from './keep.ts'
import type { Loader } from './loader.ts'
import type { Reading } from './read-deps.ts'

/** How many rows are read and processed before other requests get a turn. */
export const rowsAtOnce = 250

/** How many entries have their inverse sides loaded at once: each may have as many as a page. */
const ownersAtOnce = 100

/** On SQLite, reads are synchronous and nothing else would let other requests in. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Loaded entries, and their bytes, which are already counted in the budget. */
export interface Loaded {
  readonly entries: readonly Entry[]
  readonly bytes: number
}

/** What to load. */
export interface WantedIds {
  /** Each with how often it will be shown, as far as that is known. */
  readonly ids: ReadonlyMap<number, number>
  readonly isSorted: boolean
  readonly place: AnswerPlace
}

/**
 * Loads entries in portions, with a turn for other requests between them; sorted ones in one, to keep their
 * order.
 */
export async function loadByIds(
  loader: Loader,
  { ids, isSorted, place }: WantedIds,
  reading: Reading,
): Promise<Loaded> {
  const portionSize = isSorted ? ids.size : rowsAtOnce
  const entries: Entry[] = []
  let bytes = 0
  for (const portion of portionsOf([...ids.keys()], portionSize)) {
    if (entries.length > 0) await nextTurn()
    const loaded = await loader.load(portion, reading)
    let loadedBytes = 0
    for (const entry of loaded) {
      loadedBytes += (ids.get(entry.id) ?? 1) * jsonBytes(entry)
      entries.push(entry)
    }
    reading.budget.takeBytes(loadedBytes, place)
    bytes += loadedBytes
  }
  return { entries, bytes }
}

/**
 * Finds what inverse fields refer to, by the entry with the field; never much more than the answer can hold.
 */
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

function portionsOf<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size))
}
