import type { Columns, TableSpec } from '../database/database.ts'

/** While it is being published, `claim` says by whom and `claimed_at` since when. */
export const releasesTable: TableSpec = {
  name: 'svc_releases',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'string' },
    { name: 'status', kind: 'string', length: 20 },
    { name: 'scheduled_at', kind: 'datetime', nullable: true },
    { name: 'scheduled_by', kind: 'string', length: 40, nullable: true },
    { name: 'published_at', kind: 'datetime', nullable: true },
    { name: 'error', kind: 'json', nullable: true },
    { name: 'claim', kind: 'string', length: 64, nullable: true },
    { name: 'claimed_at', kind: 'datetime', nullable: true },
    { name: 'created_at', kind: 'datetime' },
    { name: 'updated_at', kind: 'datetime' },
  ],
  indexes: [{ columns: ['status'], type: 'index' }],
}

export const releaseItemsTable: TableSpec = {
  name: 'svc_release_items',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'release_id', kind: 'reference' },
    { name: 'type', kind: 'string', length: 64 },
    { name: 'entry_id', kind: 'integer' },
    { name: 'action', kind: 'string', length: 20 },
    { name: 'created_at', kind: 'datetime' },
  ],
  indexes: [{ columns: ['release_id', 'type', 'entry_id'], type: 'unique' }],
  references: [{ column: 'release_id', table: 'svc_releases', onDelete: 'cascade' }],
}

export const releaseColumns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  status: { column: 'status', kind: 'string' },
  scheduledAt: { column: 'scheduled_at', kind: 'datetime' },
  scheduledBy: { column: 'scheduled_by', kind: 'string' },
  publishedAt: { column: 'published_at', kind: 'datetime' },
  error: { column: 'error', kind: 'json' },
  claim: { column: 'claim', kind: 'string' },
  claimedAt: { column: 'claimed_at', kind: 'datetime' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
} as const satisfies Columns

export const itemColumns = {
  id: { column: 'id', kind: 'id' },
  releaseId: { column: 'release_id', kind: 'reference' },
  contentType: { column: 'type', kind: 'string' },
  entryId: { column: 'entry_id', kind: 'integer' },
  action: { column: 'action', kind: 'string' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns
