import { type EntryAddress, entryKey } from '../entry-address.ts'
import type { Entry, EntryStart, EntryStore, Saved } from '../store/entry-store.ts'
import { unfinishedOf } from '../store/unfinished.ts'
import type { Journal, Left } from './journal.ts'

/** Under which an entry is found in the journal. People who share a browser do not find each other's. */
export const aboutOf = (userId: number, address: EntryAddress): string =>
  [userId, ...entryKey(address)].join(' ')

/**
 * What the form begins with: the entry, with what was left of it. If it has been saved by somebody else since, its tag is
 * that of the version that was changed, and the next save merges.
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

/** Writes every change to the journal; ends with the answered function. */
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
