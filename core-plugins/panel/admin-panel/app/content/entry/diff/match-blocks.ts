import { isObject, isSameValue } from '../../schema/same-value.ts'

/** One item of a repeatable component or a dynamic zone. */
export type Block = Readonly<Record<string, unknown>>

/** Positions of the same block in both versions; each position is in one pair at most. */
export type BlockPair = readonly [from: number, to: number]

/** The blocks in a field's value; anything else in it is ignored. */
export const blocksIn = (value: unknown): readonly Block[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The uid of a block's component; items of repeatable components do not name it, so it comes from the schema (`declared`). */
export const componentOf = ({ __component: uid }: Block, declared: string): string =>
  typeof uid === 'string' ? uid : declared

/**
 * Pairs blocks by their `id`, which stays with a block when it moves. A block without an id, or with one that the other version
 * does not have, is paired with an equal block, or with a block of the same component at the same position.
 */
export function matchBlocks(before: readonly Block[], after: readonly Block[]): BlockPair[] {
  const left = new Set(before.keys())
  const sources = new Map<number, number>()

  function pairBy(isPair: (from: number, to: number) => boolean) {
    for (const to of after.keys()) {
      if (sources.has(to)) continue
      const from = [...left].find((index) => isPair(index, to))
      if (from === undefined) continue
      sources.set(to, from)
      left.delete(from)
    }
  }

  const isOfOneComponent = (from: number, to: number) => before[from]?.__component === after[to]?.__component
  const areTwo = (from: number, to: number) => !isAbsent(before[from]?.id) && !isAbsent(after[to]?.id)

  pairBy((from, to) => areTwo(from, to) && before[from]?.id === after[to]?.id && isOfOneComponent(from, to))
  pairBy((from, to) => !areTwo(from, to) && isSameValue(withoutId(before[from]), withoutId(after[to])))
  pairBy((from, to) => {
    const follows = to === 0 ? from === 0 : sources.get(to - 1) === from - 1
    return follows && !areTwo(from, to) && isOfOneComponent(from, to)
  })
  return [...sources].map(([to, from]): BlockPair => [from, to]).sort(([, one], [, other]) => one - other)
}

const isAbsent = (id: unknown) => id === undefined || id === null

const withoutId = ({ id: _, ...rest }: Block = {}) => rest

/** The largest set of pairs that keep their order, so that as few blocks as possible count as moved. */
export function pairsInPlace(pairs: readonly BlockPair[]): ReadonlySet<BlockPair> {
  // Longest increasing subsequence of `from`, in the order of `to`.
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, [from]] of pairs.entries()) {
    const at = ends.findIndex((end) => (pairs[end]?.[0] ?? 0) >= from)
    const length = at < 0 ? ends.length : at
    previous[index] = ends[length - 1]
    ends[length] = index
  }
  const kept = new Set<BlockPair>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) {
    const pair = pairs[index]
    if (pair !== undefined) kept.add(pair)
  }
  return kept
}
