import type { Transaction } from '../database/database.ts'

/** Reads once in each transaction, however often it is asked: for what the transaction itself does not change in between. */
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
