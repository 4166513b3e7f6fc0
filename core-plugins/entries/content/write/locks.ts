import type { Transaction } from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { EntryLock } from '../entry/entry-extensions.ts'
import type { EntryStore } from './entry-store.ts'

/** A store that takes the locks of other plugins before it locks entries. */
export function withLocks(store: EntryStore, type: ContentType, all: readonly EntryLock[]): EntryStore {
  const locks = all.filter((lock) => lock.matches(type))
  if (locks.length === 0) return store

  async function lock(ids: readonly number[], tx: Transaction): Promise<void> {
    for (const each of locks) await each.lock(type, ids, tx)
  }

  return {
    ...store,
    async load(id, tx) {
      await lock([id], tx)
      return store.load(id, tx)
    },
    async loadMany(ids, tx) {
      await lock(ids, tx)
      return store.loadMany(ids, tx)
    },
    async loadDeleted(id, tx) {
      await lock([id], tx)
      return store.loadDeleted(id, tx)
    },
  }
}
