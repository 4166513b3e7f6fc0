import type { Entry, EntryQuery } from '../../../entries/content/content.ts'
import type { Call } from './call.ts'
import { findEntries } from './find-entries.ts'

/** Whether a selection asks for UUIDs, which writes do not answer. */
export function asksUuid({ fields = [] }: Pick<EntryQuery, 'fields'>): boolean {
  return fields.includes('uuid')
}

/** The entries with these ids that the caller sees, with nothing but their UUIDs. */
export function readUuids(type: string, ids: readonly number[], call: Call): Promise<readonly Entry[]> {
  return findEntries({ type, key: 'id', values: ids, query: { fields: ['id', 'uuid'] } }, call)
}
