import { column, defineTable, type NewRowOf } from '../../foundation/database/database.ts'

/**
 * References between entries without a foreign key: in components, zones and pending drafts. Updated in the transaction of every
 * write.
 */
export const usagesTable = defineTable(
  'svc_entry_usages',
  {
    id: column.id(),
    type: column.string(64),
    entryId: column.integer(),
    field: column.string(),
    isDraft: column.boolean(),
    target: column.string(64),
    targetId: column.integer(),
  },
  {
    indexes: [
      { columns: ['target', 'targetId', 'type'], type: 'index' },
      { columns: ['type', 'entryId'], type: 'index' },
    ],
  },
)

export type UsageRow = NewRowOf<typeof usagesTable>

/** The schemas that the index was built for, so that a start knows whether it is still complete. */
export const usageStateTable = defineTable(
  'svc_entry_usage_state',
  { name: column.string(64), fingerprint: column.string(64) },
  { primaryKey: ['name'] },
)
