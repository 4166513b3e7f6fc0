import { hashOf } from './key-set.ts'

/** A waiting record, with the keys that it provides and those that it needs. */
export interface Waiting {
  readonly id: number
  readonly keys: readonly string[]
  readonly needs: readonly string[]
}

interface Node {
  readonly id: number
  readonly keys: readonly number[]
}

/** Distinguishes records that wait for each other from records that wait for a key that no record provides. */
export class Circles {
  /** The number of records that provide a key. */
  readonly #providers = new Map<number, number>()
  readonly #needing = new Map<number, Node[]>()
  readonly #needed = new Set<number>()

  add({ id, keys, needs }: Waiting): void {
    const node = { id, keys: keys.map(hashOf) }
    for (const key of node.keys) this.#providers.set(key, (this.#providers.get(key) ?? 0) + 1)
    for (const key of needs.map(hashOf)) {
      this.#needed.add(key)
      const nodes = this.#needing.get(key)
      if (nodes === undefined) this.#needing.set(key, [node])
      else nodes.push(node)
    }
  }

  /** The ids of records that need a missing key, or one that only such records provide. */
  lost(): ReadonlySet<number> {
    const lost = new Set<number>()
    const gone = [...this.#needed].filter((key) => !this.#providers.has(key))
    for (let key = gone.pop(); key !== undefined; key = gone.pop()) {
      for (const { id, keys } of this.#needing.get(key) ?? []) {
        if (lost.has(id)) continue
        lost.add(id)
        for (const own of keys) {
          const others = (this.#providers.get(own) ?? 1) - 1
          this.#providers.set(own, others)
          if (others === 0) gone.push(own)
        }
      }
    }
    return lost
  }
}
