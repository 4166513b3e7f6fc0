import type { BulkOperation } from '../../entries/content/content.ts'
import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

/** A bulk write that can be undone. */
export const batchesTable = defineTable(
  'svc_batches',
  {
    batch: column.string(36),
    type: column.string(64),
    operation: column.string<BulkOperation>(10),
    /** `admin:7` */
    actor: column.string(32),
    createdAt: column.datetime(),
    expiresAt: column.datetime(),
  },
  {
    primaryKey: ['batch'],
    indexes: [
      { columns: ['actor', 'createdAt'], type: 'index' },
      { columns: ['expiresAt'], type: 'index' },
    ],
  },
)

/** The former state of each entry of a batch, and the versions that the bulk write left behind. */
export const batchEntriesTable = defineTable(
  'svc_batch_entries',
  {
    batch: column.string(36),
    entryId: column.integer(),
    /** JSON of an `Undo`. */
    undo: column.text(),
    version: column.datetime(),
    draftVersion: column.datetime().nullable(),
  },
  { primaryKey: ['batch', 'entryId'] },
)

export type BatchRow = RowOf<typeof batchesTable>
export type BatchEntryRow = RowOf<typeof batchEntriesTable>
