import { type Block, newBlockId } from './block.ts'

/** Gives every block an id, so that it can be recognised after it moves. */
export const withIds = (blocks: readonly Block[]): readonly Block[] =>
  blocks.map((block) => (block.id === undefined ? { ...block, id: newBlockId() } : block))

/** Inserts blocks before the one at `index`. */
export const insertedAt = (
  blocks: readonly Block[],
  index: number,
  added: readonly Block[],
): readonly Block[] => [...blocks.slice(0, index), ...added, ...blocks.slice(index)]

export const removedAt = (blocks: readonly Block[], index: number): readonly Block[] =>
  blocks.filter((_, at) => at !== index)

/** A copy of a block with a new id; the ids of the blocks within it are removed. */
export function copyOf(block: Block): Block {
  return { ...(withoutIds(block) as Block), id: newBlockId() }
}

/** A value without the ids of blocks; ids of related entries are numbers in fields, not objects. */
export function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'id')
  return Object.fromEntries(members.map(([name, member]) => [name, withoutIds(member)]))
}
