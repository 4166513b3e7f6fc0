import { column, defineTable, type NewRowOf, type RowOf } from '../../foundation/database/database.ts'
import type { RevisionAction, RevisionAuthor } from './revisions.ts'

/**
 * `data` is the whole entry as JSON if `base_version` is the revision's own version, otherwise a delta to
 * that revision. `weight` is the total size of the deltas since the base in characters, `state_at` the
 * entry's `updated_at`.
 */
export const revisionsTable = defineTable(
  'svc_revisions',
  {
    id: column.id(),
    type: column.string(64),
    entryId: column.integer(),
    version: column.integer(),
    action: column.string<RevisionAction>(20),
    data: column.text(),
    /** Identifies the attribute names in use when the revision was stored; see `AttributeHistory`. */
    names: column.integer().nullable(),
    baseVersion: column.integer(),
    weight: column.integer(),
    stateAt: column.datetime(),
    authorKind: column.string<RevisionAuthor['kind']>(20).nullable(),
    authorId: column.integer().nullable(),
    authorName: column.string().nullable(),
    createdAt: column.datetime(),
  },
  { section: 'content', indexes: [{ columns: ['type', 'entryId', 'version'], type: 'unique' }] },
)

export type RevisionRow = RowOf<typeof revisionsTable>

export type NewRevisionRow = NewRowOf<typeof revisionsTable>
