import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { Delivery, Frequency } from './notifications.ts'

/** Of what admin users want to be told by mail, and how far they have been. */
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
    // Null while no section is in the digest.
    digestDueAt: column.datetime().nullable(),
    // What is newer has not been told in a digest.
    digestUntil: column.datetime(),
    // A job that sends what is in svc_pending_notifications has not begun yet.
    isSendPlanned: column.boolean(),
    // When such a job has begun for the last time.
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

/** What admin users are to be told at once and have not been told yet. */
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
