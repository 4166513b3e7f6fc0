import { column, defineTable } from '../../foundation/database/database.ts'

/** One row: the progress of purging. */
export const cdnStateTable = defineTable(
  'svc_cdn_state',
  {
    name: column.string(16),
    /** The log that the position belongs to. */
    epoch: column.string(16),
    /** Changes up to there have been purged, twice. */
    position: column.bigint<number>(),
    /** Grows when everything has to be purged. */
    asked: column.integer(),
    /** The value of `asked` up to which that has been done. */
    done: column.integer(),
    /** The fingerprint of everything that answers depend on besides logged changes: schemas, tags. */
    fingerprint: column.string(32),
  },
  { primaryKey: ['name'] },
)
