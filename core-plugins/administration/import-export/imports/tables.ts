import { mediaTable } from '../../../delivery/media/media.ts'
import { column, defineTable, type RowOf } from '../../../foundation/database/database.ts'
import type { ImportReport } from '../import-export.ts'

/** The progress of imports, written in the transactions of their entries. */
export const importsTable = defineTable(
  'svc_imports',
  {
    id: column.id(),
    // Null for imports that cannot be resumed.
    name: column.string(200).nullable(),
    // Counts the transactions, so that two processes cannot continue the same import.
    step: column.integer(),
    report: column.json<ImportReport>(),
    createdAt: column.datetime(),
    updatedAt: column.datetime(),
    finishedAt: column.datetime().nullable(),
  },
  {
    indexes: [
      { columns: ['name'], type: 'unique' },
      { columns: ['updatedAt'], type: 'index' },
    ],
  },
)

/** Records that wait for the entries they refer to. */
export const waitingRecordsTable = defineTable(
  'svc_import_waiting',
  {
    id: column.id(),
    importId: column.reference(importsTable.name, 'cascade'),
    type: column.string(64),
    line: column.integer(),
    // JSON as text, so that it stays exactly as it was sent.
    data: column.text(),
    // For records in a circle: the entry that was stored without the attributes that complete it.
    entryId: column.bigint<number>().nullable(),
  },
  { indexes: [{ columns: ['importId', 'id'], type: 'index' }] },
)

/** Files that were imported, by a digest of their address or content, so that each is imported once. */
export const importedMediaTable = defineTable(
  'svc_imported_media',
  { source: column.string(80), mediaId: column.reference(mediaTable.name, 'cascade') },
  { primaryKey: ['source'] },
)

export type WaitingRow = RowOf<typeof waitingRecordsTable>
