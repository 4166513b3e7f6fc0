import { createHash } from 'node:crypto'

/** Their hashes fit into half a gigabyte. */
const maxKeys = 10_000_000

/** A set of hashed keys, a few bytes each. Two keys may have the same hash, once in many millions. */
export class KeySet {
  readonly #hashes = new Set<number>()

  add(key: string): void {
    if (this.#hashes.size < maxKeys) this.#hashes.add(hashOf(key))
  }

  /** Returns true for unknown keys too, once the set is full. */
  mayHave(key: string): boolean {
    return this.#hashes.size === maxKeys || this.#hashes.has(hashOf(key))
  }
}

/** A hash of 48 bits, which a double holds exactly. */
export function hashOf(key: string): number {
  return createHash('sha1').update(key).digest().readUIntBE(0, 6)
}
