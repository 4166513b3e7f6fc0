import type { Transaction } from '../database/database.ts'

/**
 * Reads once per transaction and returns the same result afterwards: for data that the transaction itself does not
 * change in between.
 */
export function oncePerTransaction<T>(
  read: (tx: Transaction) => Promise<T>,
): (tx: Transaction) => Promise<T> {
  const known = new WeakMap<Transaction, Promise<T>>()
  return (tx) => {
    const found = known.get(tx) ?? read(tx)
    known.set(tx, found)
    return found
  }
}
