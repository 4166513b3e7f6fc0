import { mediaTable } from '../../../delivery/media/media.ts'
import { column, defineTable, type RowOf } from '../../../foundation/database/database.ts'
import type { ImportReport } from '../import-export.ts'

/** How far imports have come; written in the transactions of their entries. */
export const importsTable = defineTable(
  'svc_imports',
  {
    id: column.id(),
    // Null where nobody can resume it.
    name: column.string(200).nullable(),
    // Counts the transactions, so that two processes cannot go on with the same import.
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

/** Records that wait for what they refer to. */
export const waitingRecordsTable = defineTable(
  'svc_import_waiting',
  {
    id: column.id(),
    importId: column.reference(importsTable.name, 'cascade'),
    type: column.string(64),
    line: column.integer(),
    // JSON, as a text: it is read as it was sent.
    data: column.text(),
    // Of records in a circle: the entry that was stored without what completes the circle.
    entryId: column.bigint<number>().nullable(),
  },
  { indexes: [{ columns: ['importId', 'id'], type: 'index' }] },
)

/** Files that were brought in, by a digest of where they were or what is in them: so that they are brought in once. */
export const importedMediaTable = defineTable(
  'svc_imported_media',
  { source: column.string(80), mediaId: column.reference(mediaTable.name, 'cascade') },
  { primaryKey: ['source'] },
)

export type WaitingRow = RowOf<typeof waitingRecordsTable>
