import { column, defineTable } from '../../foundation/database/database.ts'

/** One row: what the CDN has been told so far. */
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
    /** Of what all answers depend on and no change tells of: schemas, tags. */
    fingerprint: column.string(32),
  },
  { primaryKey: ['name'] },
)
