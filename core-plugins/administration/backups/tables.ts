import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { ErrorCode, ErrorDetail } from '../../foundation/http/http.ts'
import type { Sections } from '../../foundation/sections/sections.ts'
import type { BackupCounts, BackupStatus, RestoreStatus } from './backup.ts'
import type { Requester } from './requester.ts'

/** `made_by_job` keeps a schedule's job from making two of them. */
export const backupsTable = defineTable(
  'svc_backups',
  {
    id: column.id(),
    name: column.string(),
    status: column.string<BackupStatus>(20),
    sections: column.json<Sections>(),
    size: column.integer().nullable(),
    checksum: column.string(64).nullable(),
    counts: column.json<BackupCounts>(),
    retentionDays: column.decimal<number>(),
    expiresAt: column.datetime(),
    createdAt: column.datetime(),
    completedAt: column.datetime().nullable(),
    error: column.text().nullable(),
    // Relative to the backups folder; null until it is known. Exists once the backup is completed, and
    // possibly before.
    fileName: column.string().nullable(),
    jobId: column.integer().nullable(),
    madeByJob: column.integer().nullable(),
  },
  {
    indexes: [
      { columns: ['status', 'id'], type: 'index' },
      { columns: ['expiresAt'], type: 'index' },
      { columns: ['madeByJob'], type: 'unique' },
    ],
  },
)

export type BackupRow = RowOf<typeof backupsTable>

/** Why a restore was refused, for the client. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: readonly ErrorDetail[] | undefined
}

/** `active` is 1 until the restore has ended, so that there is one at a time. */
export const restoresTable = defineTable(
  'svc_backup_restores',
  {
    id: column.id(),
    backupId: column.integer(),
    sections: column.json<Sections>(),
    active: column.integer().nullable(),
    status: column.string<RestoreStatus>(20),
    requestedBy: column.json<Requester>(),
    ip: column.string().nullable(),
    result: column.json().nullable(),
    refusal: column.json<Refusal>().nullable(),
    jobId: column.integer().nullable(),
    createdAt: column.datetime(),
    completedAt: column.datetime().nullable(),
  },
  {
    indexes: [
      { columns: ['active'], type: 'unique' },
      { columns: ['backupId', 'id'], type: 'index' },
    ],
  },
)

export type RestoreRow = RowOf<typeof restoresTable>

/** The settings of scheduled backups, in one row. */
export const scheduleTable = defineTable(
  'svc_backup_schedule',
  {
    name: column.string(20),
    retentionDays: column.decimal<number>(),
    sections: column.json<Sections>(),
    // In the format of `Makers`; null if it was never set, or set before makers were recorded.
    madeBy: column.string(40).nullable(),
  },
  { primaryKey: ['name'] },
)

/** What scheduled backups contain, and who has configured that. */
export type ScheduledContents = Omit<RowOf<typeof scheduleTable>, 'name'>
