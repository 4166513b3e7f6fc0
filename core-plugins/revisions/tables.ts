import type { Columns, TableSpec } from '../database/database.ts'

/**
 * `data` is the whole entry as JSON where `base_version` is the revision's own version, and a delta to that revision
 * otherwise. `weight` is how many characters of deltas there are since then, `state_at` the entry's `updated_at`.
 */
export const revisionsTable: TableSpec = {
  name: 'svc_revisions',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'type', kind: 'string', length: 64 },
    { name: 'entry_id', kind: 'integer' },
    { name: 'version', kind: 'integer' },
    { name: 'action', kind: 'string', length: 20 },
    { name: 'data', kind: 'text' },
    { name: 'base_version', kind: 'integer' },
    { name: 'weight', kind: 'integer' },
    { name: 'state_at', kind: 'datetime' },
    { name: 'author_kind', kind: 'string', length: 20, nullable: true },
    { name: 'author_id', kind: 'integer', nullable: true },
    { name: 'author_name', kind: 'string', nullable: true },
    { name: 'created_at', kind: 'datetime' },
  ],
  indexes: [{ columns: ['type', 'entry_id', 'version'], type: 'unique' }],
}

/** Its columns by the names of `RevisionRow`. */
export const revisionColumns = {
  id: { column: 'id', kind: 'id' },
  type: { column: 'type', kind: 'string' },
  entryId: { column: 'entry_id', kind: 'integer' },
  version: { column: 'version', kind: 'integer' },
  action: { column: 'action', kind: 'string' },
  data: { column: 'data', kind: 'text' },
  baseVersion: { column: 'base_version', kind: 'integer' },
  weight: { column: 'weight', kind: 'integer' },
  stateAt: { column: 'state_at', kind: 'datetime' },
  authorKind: { column: 'author_kind', kind: 'string' },
  authorId: { column: 'author_id', kind: 'integer' },
  authorName: { column: 'author_name', kind: 'string' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns
