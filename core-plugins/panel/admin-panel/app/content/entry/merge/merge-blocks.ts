import type { Merged, Versions } from '../../schema/merged.ts'
import { isObject } from '../../schema/same-value.ts'
import { type Block, matchBlocks } from '../diff/match-blocks.ts'
import { mergeValues } from './merge-values.ts'

type Blocks = readonly Block[]

/**
 * Merges two changed versions of a list of blocks. Blocks stored before blocks had ids get one when their list is first changed,
 * a different one on each side; here, blocks that come from the same base block count as the same block.
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

/** The position in `base` that each block came from, by its position in `list`. */
const sourcesOf = (base: Blocks, list: Blocks): ReadonlyMap<number, number> =>
  new Map(matchBlocks(base, list).map(([from, to]) => [to, from]))

/** The id that one side has assigned to a block of `base`. */
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

/** A temporary id for a block to which neither side has assigned one; real ids never contain a blank. */
const standIn = (index: number) => `${prefix}${index}`

const hasStandIn = ({ id }: Block) => typeof id === 'string' && id.startsWith(prefix)

function withoutStandIns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStandIns)
  if (!isObject(value) || !hasStandIn(value)) return value
  const { id: _, ...block } = value
  return block
}
