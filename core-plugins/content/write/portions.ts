/** Entries that are written together. */
export const entriesAtOnce = 50

/** In the order of their ids, each once. */
export function portionsOf(ids: readonly number[]): number[][] {
  const sorted = [...new Set(ids)].sort((left, right) => left - right)
  return Array.from({ length: Math.ceil(sorted.length / entriesAtOnce) }, (_, index) =>
    sorted.slice(index * entriesAtOnce, (index + 1) * entriesAtOnce),
  )
}
