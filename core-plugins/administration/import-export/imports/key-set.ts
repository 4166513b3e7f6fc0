import { createHash } from 'node:crypto'

/** As many as fit into half a gigabyte. */
const maxKeys = 10_000_000

/** The keys of records, each in a few bytes: two may be taken for one another, once in many millions. */
export class KeySet {
  readonly #hashes = new Set<number>()

  add(key: string): void {
    if (this.#hashes.size < maxKeys) this.#hashes.add(hashOf(key))
  }

  /** Also of those that did not fit any more. */
  mayHave(key: string): boolean {
    return this.#hashes.size === maxKeys || this.#hashes.has(hashOf(key))
  }
}

/** 48 bits, which a number holds. */
export function hashOf(key: string): number {
  return createHash('sha1').update(key).digest().readUIntBE(0, 6)
}
