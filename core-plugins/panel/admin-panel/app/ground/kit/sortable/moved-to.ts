/** With the item at `from` in front of what is at `before` now; the end is the length. */
export function movedTo<Item>(items: readonly Item[], from: number, before: number): readonly Item[] {
  const moved = items.slice(from, from + 1)
  const rest = items.filter((_, at) => at !== from)
  const index = indexAfterMove(from, before)
  return [...rest.slice(0, index), ...moved, ...rest.slice(index)]
}

/** Where such an item is then. */
export const indexAfterMove = (from: number, before: number): number => (before > from ? before - 1 : before)
