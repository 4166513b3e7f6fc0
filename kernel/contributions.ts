import { inOrder } from './order.ts'

/** Something that a plugin added to an extension point or to the listeners of a hook. */
export interface Contribution {
  readonly plugin: string
  readonly value: unknown
  readonly order: number
}

type Key = { readonly id: string }

/** Lists that plugins add to, one a key. */
export interface Contributions {
  /** @throws Error once sealed, naming plugin and key */
  add(key: Key, contribution: Contribution): void
  /** Sorted by order, then by start order. */
  of(key: Key): readonly Contribution[]
  /** From now on nothing can be added, so what plugins read at boot is complete. */
  seal(): void
}

/** Makes empty lists; `names` are the plugins in start order. */
export function createContributions(names: readonly string[]): Contributions {
  const added = new Map<Key, Contribution[]>()
  // Hooks are told on every write, so a list is sorted once and not each time.
  const sorted = new Map<Key, readonly Contribution[]>()
  const startPosition = ({ plugin }: Contribution) => names.indexOf(plugin)
  let isSealed = false

  function sort(key: Key): readonly Contribution[] {
    const inStartOrder = [...(added.get(key) ?? [])].sort(
      (left, right) => startPosition(left) - startPosition(right),
    )
    return inOrder(inStartOrder)
  }

  return {
    add(key, contribution) {
      if (isSealed) {
        throw new Error(`${contribution.plugin} adds to ${key.id} too late; do so in register or init`)
      }
      added.set(key, [...(added.get(key) ?? []), contribution])
      sorted.delete(key)
    },
    of(key) {
      const list = sorted.get(key) ?? sort(key)
      sorted.set(key, list)
      return list
    },
    seal() {
      isSealed = true
    },
  }
}
