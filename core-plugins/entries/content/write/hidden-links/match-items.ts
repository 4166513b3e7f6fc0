import { keep } from '../../read/keep.ts'
import type { ShownItem } from './shown-item.ts'

/** Above this many pairs, items are not compared value by value. */
const maxCompared = 40_000

/**
 * Finds the stored item that each sent item corresponds to: for each sent index, the index of its partner, if any. Items match by
 * `id`. Without one, an item matches a stored item with the same content, else the one that is clearly most similar; items
 * between the same neighbours match by position unless they share no value. If in doubt there is no match, since the hidden links
 * of an item must not end up in another one.
 */
export function matchItems(
  stored: readonly (ShownItem | undefined)[],
  sent: readonly (ShownItem | undefined)[],
): readonly (number | undefined)[] {
  const pairs = new Pairs(stored, sent)
  pairs.byId()
  pairs.byContent()
  pairs.byLikeness()
  pairs.byPlace()
  return pairs.partners
}

class Pairs {
  readonly partners: (number | undefined)[]
  readonly #stored: readonly (ShownItem | undefined)[]
  readonly #sent: readonly (ShownItem | undefined)[]
  readonly #taken = new Set<number>()

  constructor(stored: readonly (ShownItem | undefined)[], sent: readonly (ShownItem | undefined)[]) {
    this.#stored = stored
    this.#sent = sent
    this.partners = sent.map(() => undefined)
  }

  byId(): void {
    const known = new Queues()
    for (const from of this.#freeStored()) known.add(idKey(this.#stored[from]), from)
    for (const to of this.#freeSent()) this.#pair(known.next(idKey(this.#sent[to]), this.#taken), to)
  }

  /** Among items with the same content, the one at the same position comes first. */
  byContent(): void {
    const [withId, withoutId] = [new Queues(), new Queues()]
    for (const from of this.#freeStored()) {
      const item = this.#stored[from]
      const queues = item?.id === undefined ? withoutId : withId
      queues.add(contentKey(item), from)
    }
    for (const to of this.#freeSent()) {
      const [item, inPlace] = [this.#sent[to], this.#stored[to]]
      const key = contentKey(item)
      if (!this.#taken.has(to) && canBe(inPlace, item) && contentKey(inPlace) === key) {
        this.#pair(to, to)
        continue
      }
      const from = withoutId.next(key, this.#taken)
      // A known id was already matched.
      this.#pair(from ?? (item?.id === undefined ? withId.next(key, this.#taken) : undefined), to)
    }
  }

  /** Pairs that are more similar to each other than to any other item. */
  byLikeness(): void {
    const [rest, free] = [this.#freeStored(), this.#freeSent()]
    if (rest.length * free.length > maxCompared) return
    const likeness = (from: number, to: number) => sharedValues(this.#stored[from], this.#sent[to])
    const bestOfSent = new Map(free.map((to) => [to, best(rest, (from) => likeness(from, to))]))
    const bestOfStored = new Map(rest.map((from) => [from, best(free, (to) => likeness(from, to))]))
    for (const [to, from] of bestOfSent) {
      if (from !== undefined && bestOfStored.get(from) === to) this.#pair(from, to)
    }
  }

  /** If there are as many unmatched items between two neighbours as before, they are the same ones, changed. */
  byPlace(): void {
    for (let start = 0; start < this.#sent.length; start++) {
      if (this.partners[start] !== undefined) continue
      let end = start
      while (end < this.#sent.length && this.partners[end] === undefined) end++
      const first = start === 0 ? 0 : (this.partners[start - 1] ?? 0) + 1
      const next = end === this.#sent.length ? this.#stored.length : (this.partners[end] ?? 0)
      if (next - first === end - start) {
        for (let offset = 0; offset < end - start; offset++) this.#replace(first + offset, start + offset)
      }
      start = end
    }
  }

  #replace(from: number, to: number): void {
    const [before, after] = [this.#stored[from], this.#sent[to]]
    if (before === undefined || this.#taken.has(from) || !canBe(before, after)) return
    const told = before.values.filter((value, index) => value !== '' && before.isTelling[index] === true)
    if (told.length <= 1 || sharedValues(before, after) > 0) this.#pair(from, to)
  }

  #pair(from: number | undefined, to: number): void {
    if (from === undefined) return
    this.partners[to] = from
    this.#taken.add(from)
  }

  #freeStored(): number[] {
    return [...this.#stored.keys()].filter((index) => !this.#taken.has(index))
  }

  #freeSent(): number[] {
    return [...this.#sent.keys()].filter((index) => this.partners[index] === undefined)
  }
}

/** Indexes by key, each list in order. Efficient because a list may have thousands of items with the same content. */
class Queues {
  readonly #byKey = new Map<string, { readonly indexes: number[]; start: number }>()

  add(key: string | undefined, index: number): void {
    if (key !== undefined) keep(this.#byKey, key, () => ({ indexes: [], start: 0 })).indexes.push(index)
  }

  /** The first index that is not taken. */
  next(key: string | undefined, taken: ReadonlySet<number>): number | undefined {
    const queue = key === undefined ? undefined : this.#byKey.get(key)
    if (queue === undefined) return undefined
    while (taken.has(queue.indexes[queue.start] ?? -1)) queue.start++
    return queue.indexes[queue.start]
  }
}

const idKey = (item: ShownItem | undefined) =>
  item?.id === undefined ? undefined : JSON.stringify([item.uid, item.id])

const contentKey = (item: ShownItem | undefined) => item && JSON.stringify([item.uid, item.values])

/** Clients may add an id to an item without one, or leave it out; but a different id means a different item. */
function canBe(before: ShownItem | undefined, after: ShownItem | undefined): boolean {
  if (before === undefined || after === undefined || before.uid !== after.uid) return false
  return before.id === undefined || after.id === undefined || before.id === after.id
}

/** The number of distinctive values that are equal. */
function sharedValues(before: ShownItem | undefined, after: ShownItem | undefined): number {
  if (before === undefined || after === undefined || !canBe(before, after)) return 0
  const isShared = (value: string, index: number) =>
    value !== '' && before.isTelling[index] === true && value === after.values[index]
  return before.values.filter(isShared).length
}

/** The candidate with the highest score; undefined if several have it. */
function best(candidates: readonly number[], scoreOf: (candidate: number) => number): number | undefined {
  let found: number | undefined
  let highest = 0
  let isAlone = false
  for (const candidate of candidates) {
    const score = scoreOf(candidate)
    if (score === 0 || score < highest) continue
    isAlone = score > highest
    highest = score
    found = candidate
  }
  return isAlone ? found : undefined
}
