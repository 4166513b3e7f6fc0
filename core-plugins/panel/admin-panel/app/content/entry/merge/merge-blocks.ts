import type { Merged, Versions } from '../../schema/merged.ts'
import { isObject } from '../../schema/same-value.ts'
import { type Block, matchBlocks } from '../diff/match-blocks.ts'
import { mergeValues } from './merge-values.ts'

type Blocks = readonly Block[]

/**
 * Brings two changes of a list of blocks together. Blocks from before there were ids get one at the first change of their
 * list, on each side another one: here, those that have become of one block count as the same.
 */
export function mergeBlocks(versions: Versions): Merged {
  const { base, mine, theirs } = versions
  if (!areBlocks(base) || !areBlocks(mine) || !areBlocks(theirs)) return mergeValues(versions)
  if (base.every(({ id }) => id !== undefined)) return mergeValues(versions)
  const [mySources, theirSources] = [sourcesOf(base, mine), sourcesOf(base, theirs)]
  const idOf = (block: Block, index: number) =>
    block.id ?? idFrom(index, theirs, theirSources) ?? idFrom(index, mine, mySources) ?? standIn(index)
  const ids = base.map(idOf)
  const { value, conflicts } = mergeValues({
    base: base.map((block, index) => ({ ...block, id: ids[index] })),
    mine: withIds(mine, mySources, ids),
    theirs: withIds(theirs, theirSources, ids),
  })
  return {
    value: withoutStandIns(value),
    conflicts: conflicts.map(({ path, ...sides }) => ({
      path,
      base: withoutStandIns(sides.base),
      mine: withoutStandIns(sides.mine),
      theirs: withoutStandIns(sides.theirs),
    })),
  }
}

const areBlocks = (value: unknown): value is Blocks => Array.isArray(value) && value.every(isObject)

/** Where each block stood in `base`, by its place. */
const sourcesOf = (base: Blocks, list: Blocks): ReadonlyMap<number, number> =>
  new Map(matchBlocks(base, list).map(([from, to]) => [to, from]))

/** The id that a side has given to a block of `base`. */
function idFrom(index: number, list: Blocks, sources: ReadonlyMap<number, number>): unknown {
  const [to] = [...sources].find(([, from]) => from === index) ?? []
  return to === undefined ? undefined : list[to]?.id
}

const withIds = (list: Blocks, sources: ReadonlyMap<number, number>, ids: readonly unknown[]) =>
  list.map((block, to) => {
    const from = sources.get(to)
    return from === undefined ? block : { ...block, id: ids[from] }
  })

const prefix = 'stand-in '

/** For a block that neither side has given an id; no block has one with a blank. */
const standIn = (index: number) => `${prefix}${index}`

const hasStandIn = ({ id }: Block) => typeof id === 'string' && id.startsWith(prefix)

function withoutStandIns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStandIns)
  if (!isObject(value) || !hasStandIn(value)) return value
  const { id: _, ...block } = value
  return block
}
