import { useMutation } from '@tanstack/react-query'
import { useAccess } from '../../../../ground/access/access.ts'
import { isOutdated } from '../../../../ground/api/refusal.ts'
import type { Entry } from '../../store/entry-store.ts'
import { changeEntry, refreshEntry, type SavedEntry } from './publication-requests.ts'

/** A request that changes an open entry, with its outcome. */
export interface EntryChange {
  readonly method: 'PUT' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/**
 * Carries out changes of an entry. If another user has changed it first, the dialog stays open, shows the new state and asks
 * again.
 */
export function useEntryChange(entry: SavedEntry, onDone: (answer: Entry) => void) {
  const access = useAccess()
  return useMutation({
    mutationFn: (change: EntryChange) => changeEntry(entry, access, change),
    onSuccess: onDone,
    async onError(error) {
      if (isOutdated(error)) await refreshEntry(entry, access)
    },
  })
}
