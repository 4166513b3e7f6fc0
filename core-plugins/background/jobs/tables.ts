import { sql } from 'drizzle-orm'
import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { JobStatus } from './jobs.ts'

/**
 * The queue, which is also the outbox for other plugins' transactions.
 *
 * `status` is `waiting`, `held`, `active`, `completed`, `failed` or `cancelled`. A job is held if it was due while others of its
 * mailbox preceded it; it waits again when those are finished. A failed or cancelled job is `failing` or `cancelling` until its
 * kind and the listeners have been notified, so that a crash in between does not lose the notification.
 */
export const jobsTable = defineTable(
  'svc_jobs',
  {
    id: column.id(),
    name: column.string(100),
    key: column.string().named('job_key').nullable(),
    // Same as `key` while the job is unfinished.
    pendingKey: column.string().nullable(),
    mailbox: column.string().nullable(),
    // Same as `mailbox` while the job is active. A job that was made later can be committed and claimed
    // earlier; then only the unique index keeps two jobs of one mailbox from running at the same time.
    runningMailbox: column.string().nullable(),
    lane: column.string().nullable(),
    status: column.string<Exclude<JobStatus, 'delayed'> | 'held' | 'failing' | 'cancelling'>(16),
    payload: column.json(),
    attempts: column.integer(),
    maxAttempts: column.integer(),
    // How many processes have died while running the job; null for none.
    deaths: column.integer().nullable(),
    progress: column.integer(),
    result: column.json().nullable(),
    error: column.text().nullable(),
    runner: column.string(36).named('worker').nullable(),
    leaseUntil: column.datetime().nullable(),
    isCancelRequested: column.boolean(),
    runAt: column.datetime(),
    // When `run_at` was last set; null if that was when the job was created.
    plannedAt: column.datetime().nullable(),
    createdAt: column.datetime(),
    startedAt: column.datetime().nullable(),
    finishedAt: column.datetime().nullable(),
  },
  {
    indexes: [
      { columns: ['status', 'runAt', 'id'], type: 'index' },
      { columns: ['mailbox', 'status', 'id'], type: 'index' },
      { columns: ['name', 'status'], type: 'index' },
      { columns: ['finishedAt'], type: 'index' },
      { columns: ['pendingKey'], type: 'unique' },
      { columns: ['runningMailbox'], type: 'unique' },
    ],
  },
)

export type JobRow = RowOf<typeof jobsTable>

/** The stored statuses of jobs that will not be retried, as an SQL list for `in`. */
export const givenUp = sql`('failed', 'failing', 'cancelled', 'cancelling')`

/** The stored statuses of jobs whose failure or cancellation has not been reported yet. */
export const untold = { failed: 'failing', cancelled: 'cancelling' } as const

/** The columns to clear when no runner holds the job any more. */
export const released = sql`worker = null, running_mailbox = null, lease_until = null`
