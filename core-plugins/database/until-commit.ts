import type { Transaction } from './database.ts'

/**
 * Collects what the parts of a transaction come by, and hands it to `write` before the commit: for middleware that runs
 * per entry, but can write about many entries with few statements. What `write` throws rolls everything back.
 */
export function untilCommit<Item>(
  write: (items: readonly Item[], tx: Transaction) => unknown,
): (tx: Transaction, item: Item) => void {
  const open = new WeakMap<Transaction, Item[]>()
  return (tx, item) => {
    const known = open.get(tx)
    if (known !== undefined) {
      known.push(item)
      return
    }
    const items = [item]
    open.set(tx, items)
    tx.beforeCommit(() => {
      open.delete(tx)
      return write(items, tx)
    })
  }
}
