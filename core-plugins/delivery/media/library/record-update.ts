import type { PluginContext } from '../../../../kernel/index.ts'
import type { SystemEntries } from '../../../entries/content/content.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import { type MediaRecord, mediaUpdated } from '../media.ts'

/** Writes checked values of a record and emits the change after the commit. Without values, does nothing. */
export type UpdateRecord = (
  previous: MediaRecord,
  values: Readonly<Record<string, unknown>>,
  write: { readonly principal: Principal; readonly tx: Transaction; readonly now: string },
) => Promise<MediaRecord>

export function createRecordUpdate(entries: SystemEntries, emit: PluginContext['emit']): UpdateRecord {
  return async (previous, values, { principal, tx, now }) => {
    if (Object.keys(values).length === 0) return previous
    const media = (await entries.update(previous, values, { tx, now })) as MediaRecord
    tx.afterCommit(() => emit(mediaUpdated, { media, previous, principal }))
    return media
  }
}
