import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { Delivery, Frequency } from './notifications.ts'

/** The notification preferences of admin users, and up to which time they have been notified. */
export const preferencesTable = defineTable(
  'svc_notification_preferences',
  {
    id: column.id(),
    userId: column.reference('svc_admin_users', 'cascade'),
    sections: column.json<Readonly<Record<string, Delivery>>>(),
    frequency: column.string<Frequency>(10),
    weekday: column.integer(),
    hour: column.integer(),
    timeZone: column.string(64),
    language: column.string(10),
    // Null while no section is delivered by digest.
    digestDueAt: column.datetime().nullable(),
    // Up to which time digests have covered news.
    digestUntil: column.datetime(),
    // Whether a job that sends the rows of svc_pending_notifications is planned but has not begun.
    isSendPlanned: column.boolean(),
    // When such a job last began.
    sentAt: column.datetime().nullable(),
  },
  {
    indexes: [
      { columns: ['userId'], type: 'unique' },
      { columns: ['digestDueAt'], type: 'index' },
    ],
  },
)

export type PreferencesRow = RowOf<typeof preferencesTable>

/** Items that admin users are still to be notified about at once. */
export const pendingTable = defineTable(
  'svc_pending_notifications',
  {
    id: column.id(),
    userId: column.reference('svc_admin_users', 'cascade'),
    section: column.string(64),
    type: column.string(64),
    entryId: column.integer(),
    // Since when the entry is in the inbox.
    at: column.datetime(),
  },
  { indexes: [{ columns: ['userId'], type: 'index' }] },
)

export type PendingRow = RowOf<typeof pendingTable>
