import { type EntryAddress, entryKey } from '../entry-address.ts'
import type { Entry, EntryStart, EntryStore, Saved } from '../store/entry-store.ts'
import { unfinishedOf } from '../store/unfinished.ts'
import type { Journal, Left } from './journal.ts'

/** The journal key of an entry. It contains the user, so that people who share a browser do not see each other's changes. */
export const aboutOf = (userId: number, address: EntryAddress): string =>
  [userId, ...entryKey(address)].join(' ')

/**
 * The initial state of the form: the entry with changes from the journal applied. If another user has saved since, the ETag stays
 * the one that the changes are based on, so that the next save merges.
 */
export function startFrom(
  start: Entry,
  saved: Saved | undefined,
  left: Pick<Left, 'etag' | 'base' | 'changes'> | undefined,
) {
  const base = { ...start, ...left?.base }
  return {
    base,
    values: { ...base, ...left?.changes },
    saved: saved === undefined || left?.etag === undefined ? saved : { entry: base, etag: left.etag },
  } satisfies Omit<EntryStart, 'fields'>
}

/** Writes every change to the journal until the returned function is called. */
export function keepIn(journal: Journal, store: EntryStore, about: () => string): () => void {
  return store.subscribeToAll(() => {
    const { isDirty, saved } = store.state()
    const unfinished = unfinishedOf(store.values())
    if (!isDirty && Object.keys(unfinished).length === 0) return journal.clear()
    const changes = { ...store.changedFields(), ...unfinished }
    const before = store.base()
    const base = Object.fromEntries(Object.keys(changes).map((field) => [field, before[field] ?? null]))
    journal.write({ about: about(), etag: saved?.etag, base, changes })
  })
}
