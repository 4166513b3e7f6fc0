import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

/** Until when entries stay public. `setBy` is in the form of auth's `Makers`; null: the service itself. */
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
