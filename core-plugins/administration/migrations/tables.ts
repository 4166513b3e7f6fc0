import { column, defineTable } from '../../foundation/database/database.ts'

/** What files, folders and users of another system have become: a migration that runs again finds them by it. */
export const migratedTable = defineTable(
  'svc_migrated',
  {
    /** See `deterministicUuid`. */
    uuid: column.string(36),
    kind: column.string(16),
    targetId: column.integer(),
  },
  { section: 'content', primaryKey: ['uuid'] },
)
