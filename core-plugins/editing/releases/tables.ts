import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { ReleaseAction, ReleaseError, ReleaseStatus } from './release.ts'

/** While a release is being published, `claim` identifies the publisher and `claimed_at` the start. */
export const releasesTable = defineTable(
  'svc_releases',
  {
    id: column.id(),
    name: column.string(),
    status: column.string<ReleaseStatus>(20),
    scheduledAt: column.datetime().nullable(),
    scheduledBy: column.string(40).nullable(),
    publishedAt: column.datetime().nullable(),
    error: column.json<ReleaseError>().nullable(),
    claim: column.string(64).nullable(),
    claimedAt: column.datetime().nullable(),
    createdAt: column.datetime(),
    updatedAt: column.datetime(),
  },
  {
    indexes: [
      { columns: ['status'], type: 'index' },
      { columns: ['scheduledAt'], type: 'index' },
    ],
  },
)

export type ReleaseRow = RowOf<typeof releasesTable>

export const releaseItemsTable = defineTable(
  'svc_release_items',
  {
    id: column.id(),
    releaseId: column.reference('svc_releases', 'cascade'),
    contentType: column.string(64).named('type'),
    entryId: column.integer(),
    action: column.string<ReleaseAction>(20),
    createdAt: column.datetime(),
  },
  {
    indexes: [
      { columns: ['releaseId', 'contentType', 'entryId'], type: 'unique' },
      { columns: ['contentType', 'entryId'], type: 'index' },
    ],
  },
)
