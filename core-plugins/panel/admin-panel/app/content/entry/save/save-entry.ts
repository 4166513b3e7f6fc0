import { MortiseError } from '../../../../../../../client/client.ts'
import { isOutdated } from '../../../ground/api/refusal.ts'
import { errorText, problemText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import type { Observable } from '../../../ground/observable.ts'
import type { Entry, EntryStore, Saved } from '../store/entry-store.ts'
import { idle, type MergedEntry, type Saving } from './saving.ts'

/** What saving one entry needs. */
export interface SaveParts {
  readonly store: EntryStore
  readonly saving: Observable<Saving>
  /** @throws MortiseError */
  write(changes: Entry, etag: string | undefined): Promise<Saved>
  read(): Promise<Saved>
  /** Merges the form's values with what another user has saved. */
  merge(theirs: Saved): MergedEntry
  /** Makes the response of a write the new base; `sent` is what the write sent. */
  takeWritten(saved: Saved, sent: Entry): void
  /** Continues from a merge without conflicts. */
  takeMerged(merge: MergedEntry): void
}

/** How often to merge when other users keep saving in between; after that, the user has to try again. */
const maxMerges = 3

/** Saves the changes; true if they are stored. Otherwise the reason is in `saving` or `problems`. */
export async function saveEntry(parts: SaveParts): Promise<boolean> {
  const { store, saving } = parts
  if (saving.get().kind === 'sending') return false
  if (store.state().saved !== undefined && !store.state().isDirty) return true
  saving.set({ kind: 'sending' })
  try {
    const merge = await writeMerging(parts)
    saving.set(merge === undefined ? idle : { kind: 'conflict', merge })
    return merge === undefined
  } catch (error) {
    saving.set(failureOf(error, store))
    return false
  }
}

/** Writes, merging and retrying while other users save first; returns a merge whose conflicts the user has to decide. */
async function writeMerging(parts: SaveParts): Promise<MergedEntry | undefined> {
  const { store } = parts
  for (let merges = 0; ; merges++) {
    const sent = store.values()
    try {
      const saved = await parts.write(store.changedFields(), store.state().saved?.etag)
      parts.takeWritten(saved, sent)
      return undefined
    } catch (error) {
      if (!isOutdated(error) || merges === maxMerges) throw error
    }
    const merge = parts.merge(await parts.read())
    if (merge.conflicts.length > 0) return merge
    parts.takeMerged(merge)
    if (!store.state().isDirty) return undefined
  }
}

/** Problems with values are shown at their fields; any other error is shown for the whole form. */
function failureOf(error: unknown, store: EntryStore): Saving {
  if (!(error instanceof MortiseError))
    return { kind: 'failed', message: t('entry.offline'), isOffline: true }
  if (error.details.length === 0) return { kind: 'failed', message: errorText(error), isOffline: false }
  store.showProblems(
    error.details.map(({ path, code, message }) => ({ path, message: problemText({ code, message }) })),
  )
  return idle
}
