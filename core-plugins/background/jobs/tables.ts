import { sql } from 'drizzle-orm'
import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { JobStatus } from './jobs.ts'

/**
 * The queue, and at the same time the outbox for other plugins' transactions.
 *
 * `status` is `waiting`, `held`, `active`, `completed`, `failed` or `cancelled`. A job is held when it was
 * due but others of its mailbox were before it; it waits again when those are finished. One that has failed or was
 * cancelled is `failing` or `cancelling` until its kind and the listeners have been told, so that a process that dies
 * in between does not leave them without word.
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
    // How many processes have died while running it; null for none.
    deaths: column.integer().nullable(),
    progress: column.integer(),
    result: column.json().nullable(),
    error: column.text().nullable(),
    runner: column.string(36).named('worker').nullable(),
    leaseUntil: column.datetime().nullable(),
    isCancelRequested: column.boolean(),
    runAt: column.datetime(),
    // When `run_at` was last set, if not when the job was made.
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

/** The stored statuses of jobs that will not be tried again, as listed in an SQL `in`. */
export const givenUp = sql`('failed', 'failing', 'cancelled', 'cancelling')`

/** How jobs stand while it is owed to tell that they have failed or were cancelled. */
export const untold = { failed: 'failing', cancelled: 'cancelling' } as const

/** What is cleared when no runner has the job any more. */
export const released = sql`worker = null, running_mailbox = null, lease_until = null`
