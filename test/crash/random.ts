/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to, but without, `limit`. */
  below(limit: number): number
  /** True in that part of all cases, 0 to 1. */
  chance(part: number): boolean
  pick<T>(items: readonly T[]): T
}

export function createRandom(seed: string): Random {
  const next = generator(hash(seed))
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (part) => next() < part,
    pick<T>(items: readonly T[]) {
      if (items.length === 0) throw new Error('there is nothing to pick from')
      return items[below(items.length)] as T
    },
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
