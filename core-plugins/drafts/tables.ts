import type { TableSpec } from '../database/database.ts'

/** At most one draft for an entry; `data` is JSON of the fields that it changes. */
export const draftsTable: TableSpec = {
  name: 'svc_drafts',
  columns: [
    { name: 'type', kind: 'string', length: 64 },
    { name: 'entry_id', kind: 'integer' },
    { name: 'data', kind: 'text' },
    { name: 'created_at', kind: 'datetime' },
    { name: 'updated_at', kind: 'datetime' },
  ],
  primaryKey: ['type', 'entry_id'],
}
