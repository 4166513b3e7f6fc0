import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { LiveEventKind } from './panel-events.ts'

/** Events of the last minutes except content writes, for the processes that send them to panels. */
export const liveEventsTable = defineTable(
  'svc_live_events',
  {
    id: column.id(),
    kind: column.string<LiveEventKind>(20),
    type: column.string(64).nullable(),
    entryId: column.integer().nullable(),
    operation: column.string(20).nullable(),
    actorKind: column.string(20).nullable(),
    actorId: column.integer().nullable(),
    actorName: column.string().nullable(),
    audience: column.integer().nullable(),
    createdAt: column.datetime(),
  },
  { indexes: [{ columns: ['createdAt'], type: 'index' }] },
)

export type LiveEventRow = RowOf<typeof liveEventsTable>

/** Presence: one row for each panel that shows an entry. */
export const presenceTable = defineTable(
  'svc_presence',
  {
    userId: column.reference('svc_admin_users', 'cascade'),
    stream: column.string(36),
    username: column.string(),
    type: column.string(64),
    entryId: column.integer(),
    field: column.string(255).nullable(),
    seenAt: column.datetime(),
  },
  {
    primaryKey: ['userId', 'stream'],
    indexes: [{ columns: ['seenAt'], type: 'index' }],
  },
)

export type PresenceRow = RowOf<typeof presenceTable>
