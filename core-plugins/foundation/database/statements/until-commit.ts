import type { Transaction } from './transaction.ts'

/** Collects items of one part of a transaction. */
export type Collector<Item> = (tx: Transaction, item: Item) => void

/** Processes all items that the parts of a transaction collected. */
type UseAll<Item> = (items: readonly Item[], tx: Transaction) => unknown

/**
 * Collects items during a transaction and passes them to `write` before the commit: for middleware that runs per
 * entry but can write about many entries with few statements. Runs when all other work is done, concurrently with
 * other such writes. An error in `write` rolls everything back.
 */
export function untilCommit<Item>(write: UseAll<Item>): Collector<Item> {
  return collector(write, (tx, action) => tx.withCommit(action))
}

/** Like `untilCommit`, but runs before those, one after the other: for work that changes entries. */
export function afterWork<Item>(work: UseAll<Item>): Collector<Item> {
  return collector(work, (tx, action) => tx.beforeCommit(action))
}

function collector<Item>(
  use: UseAll<Item>,
  register: (tx: Transaction, action: () => unknown) => void,
): Collector<Item> {
  const open = new WeakMap<Transaction, Item[]>()
  return (tx, item) => {
    const known = open.get(tx)
    if (known !== undefined) {
      known.push(item)
      return
    }
    const items = [item]
    open.set(tx, items)
    register(tx, () => {
      open.delete(tx)
      return use(items, tx)
    })
  }
}
