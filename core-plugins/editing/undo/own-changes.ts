import type { EntryChangeListener } from '../../entries/content/content.ts'
import type { Transaction } from '../../foundation/database/database.ts'

interface Followed {
  readonly type: string
  readonly versions: Map<number, string>
}

/** Tracks which further entries the writes of a transaction change, such as other versions of an entry. */
export interface OwnChanges {
  readonly listen: EntryChangeListener
  /** Starts tracking: the result contains each entry of the type that the transaction changes, with the version it had before. */
  follow(tx: Transaction, type: string): ReadonlyMap<number, string>
}

export function createOwnChanges(): OwnChanges {
  const byTransaction = new WeakMap<Transaction, Followed>()
  return {
    listen({ type, id, before }, tx) {
      const followed = byTransaction.get(tx)
      if (followed?.type !== type.name || followed.versions.has(id)) return
      followed.versions.set(id, String(before?.updated_at))
    },
    follow(tx, type) {
      const versions = new Map<number, string>()
      byTransaction.set(tx, { type, versions })
      return versions
    },
  }
}
