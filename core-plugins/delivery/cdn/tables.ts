import { column, defineTable } from '../../foundation/database/database.ts'

/** One row: the progress of purging. */
export const cdnStateTable = defineTable(
  'svc_cdn_state',
  {
    name: column.string(16),
    /** The log to which the position belongs. */
    epoch: column.string(16),
    /** Changes up to this position have been purged twice. */
    position: column.bigint<number>(),
    /** Incremented when everything must be purged. */
    asked: column.integer(),
    /** The value of `asked` at the last completed purge of everything. */
    done: column.integer(),
    /** The fingerprint of everything that answers depend on besides logged changes: schemas, tags. */
    fingerprint: column.string(32),
  },
  { primaryKey: ['name'] },
)
