import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

/** The times until which entries stay public. `setBy` is in the form of auth's `Makers`; null: the service itself. */
export const unpublishTimesTable = defineTable(
  'svc_unpublish_times',
  {
    type: column.string(64),
    entryId: column.integer(),
    unpublishAt: column.datetime(),
    setBy: column.string(40).nullable(),
    createdAt: column.datetime(),
  },
  {
    section: 'content',
    primaryKey: ['type', 'entryId'],
    indexes: [{ columns: ['unpublishAt'], type: 'index' }],
  },
)

export type UnpublishTimeRow = RowOf<typeof unpublishTimesTable>
