import { type Block, newBlockId } from './block.ts'

/** Each block with an id, so that it is known again wherever it goes. */
export const withIds = (blocks: readonly Block[]): readonly Block[] =>
  blocks.map((block) => (block.id === undefined ? { ...block, id: newBlockId() } : block))

/** With more blocks in front of the one at `index`. */
export const insertedAt = (
  blocks: readonly Block[],
  index: number,
  added: readonly Block[],
): readonly Block[] => [...blocks.slice(0, index), ...added, ...blocks.slice(index)]

export const removedAt = (blocks: readonly Block[], index: number): readonly Block[] =>
  blocks.filter((_, at) => at !== index)

/** The same values as another block: it and all within it get ids of their own, or none. */
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
