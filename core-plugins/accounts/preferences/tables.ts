import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

/** `value` is JSON text, which every database keeps as it is. */
export const preferencesTable = defineTable(
  'svc_preferences',
  {
    id: column.id(),
    userId: column.reference('svc_admin_users', 'cascade'),
    name: column.string(100),
    value: column.text(),
    updatedAt: column.datetime(),
  },
  { indexes: [{ columns: ['userId', 'name'], type: 'unique' }] },
)

/** `roles` is null while a view is private. */
export const viewsTable = defineTable(
  'svc_views',
  {
    id: column.id(),
    type: column.string(64),
    ownerId: column.reference('svc_admin_users', 'cascade'),
    name: column.string(100),
    config: column.text(),
    roles: column.json<readonly string[]>().nullable(),
    isShared: column.boolean(),
    createdAt: column.datetime(),
    updatedAt: column.datetime(),
  },
  {
    indexes: [
      { columns: ['type', 'ownerId'], type: 'index' },
      { columns: ['type', 'isShared'], type: 'index' },
      { columns: ['ownerId'], type: 'index' },
    ],
  },
)

export type ViewRow = RowOf<typeof viewsTable>
