import { AppError } from '../../../foundation/http/http.ts'
import { compareKeys, type ItemVersion } from '../../../foundation/sections/sections.ts'
import type { Agreement } from '../agreements.ts'
import type { Comparison, DescribedSide } from './comparison.ts'
import { withLastChanges } from './conflict-changes.ts'
import { differenceOf, type ItemDifference, type NewlyEqual, type SectionDifference } from './difference.ts'
import { itemsAtOnce, pageSize, sectionOf, type TransferSide } from './side.ts'

/** An item with the hashes and agreements of both sides. */
interface ComparedItem {
  readonly key: string
  readonly source: string | null
  readonly target: string | null
  readonly agreed: { readonly source: string | null; readonly target: string | null } | undefined
}

/** Compares the items of a section page by page: all of them, or those with certain keys. */
export async function compareSides(
  comparison: Comparison,
  section: string,
  keys?: readonly string[],
): Promise<SectionDifference> {
  const differences: ItemDifference[] = []
  const newlyEqual: NewlyEqual[] = []
  let equal = 0
  const wanted = keys === undefined ? undefined : new Set(keys)
  const items =
    wanted === undefined ? comparedItems(comparison, section) : namedItems(comparison, section, wanted)
  for await (const item of items) {
    const { key, source, target, agreed } = item
    if (source === null && target === null) continue
    const difference = differenceOf(item)
    if (difference !== undefined) differences.push({ section, key, source, target, difference })
    else {
      equal++
      const isKnown = agreed?.source === source && agreed.target === target
      if (!isKnown) newlyEqual.push({ section, key, source, target })
    }
  }
  const refusal = sectionOf(comparison.target.described, section)?.refusal ?? null
  const unshared = comparison.unsharedOf(section)
  const told = await withLastChanges(comparison, section, differences)
  return { section, refusal, unshared, equal, differences: told, newlyEqual }
}

/** Items and agreements of both sides come in the order of keys, so one page of each is enough at a time. */
async function* comparedItems(comparison: Comparison, section: string): AsyncGenerator<ComparedItem> {
  const { source, target } = comparison
  const [ofSource, ofTarget] = [source.described.environment, target.described.environment]
  const streams = {
    source: new KeyedStream<ItemVersion>((after) => source.page(section, after), 1),
    target: new KeyedStream<ItemVersion>((after) => target.page(section, after), 1),
    known: new KeyedStream<Agreement>((after) => source.agreements(ofTarget, section, after), pageSize),
    knownThere: new KeyedStream<Agreement>((after) => target.agreements(ofSource, section, after), pageSize),
  }
  for (;;) {
    const key = await leastKey(Object.values(streams))
    if (key === undefined) return
    const [here, there] = [await streams.source.take(key), await streams.target.take(key)]
    const agreed = newest(await streams.known.take(key), await streams.knownThere.take(key))
    yield { key, source: here?.hash ?? null, target: there?.hash ?? null, agreed }
  }
}

/** The later of two agreements; one side may not have stored the latest. */
function newest(ofSource: Agreement | undefined, ofTarget: Agreement | undefined): ComparedItem['agreed'] {
  if (ofSource === undefined || (ofTarget !== undefined && ofTarget.agreedAt > ofSource.agreedAt)) {
    return ofTarget && { source: ofTarget.theirs, target: ofTarget.own }
  }
  return { source: ofSource.own, target: ofSource.theirs }
}

/** Compares only the named items, by key. */
async function* namedItems(
  comparison: Comparison,
  section: string,
  wanted: ReadonlySet<string>,
): AsyncGenerator<ComparedItem> {
  const keys = [...wanted].sort(compareKeys)
  for (let start = 0; start < keys.length; start += itemsAtOnce) {
    const some = keys.slice(start, start + itemsAtOnce)
    const [source, target] = await Promise.all([
      hashesOf(comparison.source, section, some),
      hashesOf(comparison.target, section, some),
    ])
    const [known, knownThere] = await Promise.all([
      agreementsOf(comparison.source, comparison.target, section, some),
      agreementsOf(comparison.target, comparison.source, section, some),
    ])
    for (const key of some) {
      const agreed = newest(known.get(key), knownThere.get(key))
      yield { key, source: source.get(key) ?? null, target: target.get(key) ?? null, agreed }
    }
  }
}

async function agreementsOf(
  side: DescribedSide,
  other: DescribedSide,
  section: string,
  keys: readonly string[],
) {
  const found = await side.agreementsOn(other.described.environment, section, keys)
  return new Map(found.map((agreement) => [agreement.key, agreement]))
}

async function hashesOf(side: TransferSide, section: string, keys: readonly string[]) {
  const found = await side.find(section, keys)
  return new Map(found.map(({ key, hash }) => [key, hash]))
}

/** Reads pages as needed. A page with fewer items than `fullPage` is the last one. */
class KeyedStream<Item extends { readonly key: string }> {
  readonly #page: (after: string) => Promise<readonly Item[]>
  readonly #fullPage: number
  #items: readonly Item[] = []
  #place = 0
  #after = ''
  #isOver = false

  constructor(page: (after: string) => Promise<readonly Item[]>, fullPage: number) {
    this.#page = page
    this.#fullPage = fullPage
  }

  async peek(): Promise<Item | undefined> {
    if (this.#place < this.#items.length) return this.#items[this.#place]
    if (this.#isOver) return undefined
    this.#items = await this.#page(this.#after)
    assertInOrder(this.#items, this.#after)
    this.#place = 0
    this.#after = this.#items.at(-1)?.key ?? this.#after
    this.#isOver = this.#items.length < this.#fullPage
    return this.#items[0]
  }

  /** Returns the next item if it has this key. */
  async take(key: string): Promise<Item | undefined> {
    const next = await this.peek()
    if (next?.key !== key) return undefined
    this.#place++
    return next
  }
}

/** Refuses pages that are out of order, since a side that repeats pages would be read forever. */
function assertInOrder(items: readonly { readonly key: string }[], after: string): void {
  let last = after
  for (const { key } of items) {
    if (compareKeys(key, last) <= 0) {
      throw new AppError('BAD_GATEWAY', `items are not in the order of their keys: ${key} after ${last}`)
    }
    last = key
  }
}

async function leastKey(
  streams: readonly { peek(): Promise<{ readonly key: string } | undefined> }[],
): Promise<string | undefined> {
  let least: string | undefined
  for (const stream of streams) {
    const key = (await stream.peek())?.key
    if (key !== undefined && (least === undefined || compareKeys(key, least) < 0)) least = key
  }
  return least
}
