import type { Transaction } from './database.ts'

/** Takes what one part of a transaction comes by. */
export type Collector<Item> = (tx: Transaction, item: Item) => void

/** Works on all that the parts of a transaction came by. */
type UseAll<Item> = (items: readonly Item[], tx: Transaction) => unknown

/**
 * Collects what the parts of a transaction come by, and hands it to `write` before the commit: for middleware that runs
 * per entry, but can write about many entries with few statements. It runs when nothing else is left to be done,
 * together with others of its kind. What `write` throws rolls everything back.
 */
export function untilCommit<Item>(write: UseAll<Item>): Collector<Item> {
  return collector(write, (tx, action) => tx.withCommit(action))
}

/** As `untilCommit`, but before those, one after the other: for what goes on to change entries. */
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
