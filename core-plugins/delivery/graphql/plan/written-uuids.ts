import type { Entry, EntryQuery } from '../../../entries/content/content.ts'
import type { Call } from './call.ts'
import { findEntries } from './find-entries.ts'

/** Whether a selection includes UUIDs, which writes do not return. */
export function asksUuid({ fields = [] }: Pick<EntryQuery, 'fields'>): boolean {
  return fields.includes('uuid')
}

/** The UUIDs of the entries with these ids that the caller may see. */
export function readUuids(type: string, ids: readonly number[], call: Call): Promise<readonly Entry[]> {
  return findEntries({ type, key: 'id', values: ids, query: { fields: ['id', 'uuid'] } }, call)
}
