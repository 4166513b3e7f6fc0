/** Moves the item at `from` before the item now at `before`; use the length for the end. */
export function movedTo<Item>(items: readonly Item[], from: number, before: number): readonly Item[] {
  const moved = items.slice(from, from + 1)
  const rest = items.filter((_, at) => at !== from)
  const index = indexAfterMove(from, before)
  return [...rest.slice(0, index), ...moved, ...rest.slice(index)]
}

/** The index of the item after such a move. */
export const indexAfterMove = (from: number, before: number): number => (before > from ? before - 1 : before)
