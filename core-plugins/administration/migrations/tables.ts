import { column, defineTable } from '../../foundation/database/database.ts'

/** The files, folders and users that migrations have created, so that a later run finds them. */
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
