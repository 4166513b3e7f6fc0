import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

/** At most one draft per entry; `data` is JSON of the fields that it changes. */
export const draftsTable = defineTable(
  'svc_drafts',
  {
    type: column.string(64),
    entryId: column.integer(),
    data: column.text(),
    /** Identifies the attribute names in use when the draft was saved; see `AttributeHistory`. */
    names: column.integer().nullable(),
    createdAt: column.datetime(),
    updatedAt: column.datetime(),
  },
  { section: 'content', primaryKey: ['type', 'entryId'] },
)

export type DraftRow = RowOf<typeof draftsTable>
