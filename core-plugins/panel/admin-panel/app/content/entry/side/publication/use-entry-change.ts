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
 * Carries out changes of an entry. If somebody else has been faster, it shows what there is now and asks again: the
 * dialog stays, with the new state in it.
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
