import { sql } from 'drizzle-orm'
import type { Columns, TableSpec } from '../database/database.ts'

/**
 * The queue, and at the same time the outbox of whatever writes to the database.
 *
 * `status` is `waiting`, `held`, `active`, `completed`, `failed` or `cancelled`. A job is held when it was due and found
 * others of its mailbox before it; it waits again when those are finished.
 */
export const jobsTable: TableSpec = {
  name: 'svc_jobs',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'string', length: 100 },
    { name: 'job_key', kind: 'string', nullable: true },
    // As `job_key` while the job is unfinished.
    { name: 'pending_key', kind: 'string', nullable: true },
    { name: 'mailbox', kind: 'string', nullable: true },
    // As `mailbox` while the job is active. A job that was made later can have been committed and claimed
    // earlier; then only the unique index keeps two jobs of one mailbox from running at the same time.
    { name: 'running_mailbox', kind: 'string', nullable: true },
    { name: 'lane', kind: 'string', nullable: true },
    { name: 'status', kind: 'string', length: 16 },
    { name: 'payload', kind: 'json' },
    { name: 'attempts', kind: 'integer' },
    { name: 'max_attempts', kind: 'integer' },
    // How many processes have died in it; null for none.
    { name: 'deaths', kind: 'integer', nullable: true },
    { name: 'progress', kind: 'integer' },
    { name: 'result', kind: 'json', nullable: true },
    { name: 'error', kind: 'text', nullable: true },
    { name: 'worker', kind: 'string', length: 36, nullable: true },
    { name: 'lease_until', kind: 'datetime', nullable: true },
    { name: 'is_cancel_requested', kind: 'boolean' },
    { name: 'run_at', kind: 'datetime' },
    // When `run_at` was set last, where that was not when the job was made.
    { name: 'planned_at', kind: 'datetime', nullable: true },
    { name: 'created_at', kind: 'datetime' },
    { name: 'started_at', kind: 'datetime', nullable: true },
    { name: 'finished_at', kind: 'datetime', nullable: true },
  ],
  indexes: [
    { columns: ['status', 'run_at', 'id'], type: 'index' },
    { columns: ['mailbox', 'status', 'id'], type: 'index' },
    { columns: ['name', 'status'], type: 'index' },
    { columns: ['finished_at'], type: 'index' },
    { columns: ['pending_key'], type: 'unique' },
    { columns: ['running_mailbox'], type: 'unique' },
  ],
}

/** The columns that make a `Job`. */
export const jobColumns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  key: { column: 'job_key', kind: 'string' },
  mailbox: { column: 'mailbox', kind: 'string' },
  status: { column: 'status', kind: 'string' },
  payload: { column: 'payload', kind: 'json' },
  attempts: { column: 'attempts', kind: 'integer' },
  maxAttempts: { column: 'max_attempts', kind: 'integer' },
  progress: { column: 'progress', kind: 'integer' },
  result: { column: 'result', kind: 'json' },
  error: { column: 'error', kind: 'text' },
  runAt: { column: 'run_at', kind: 'datetime' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  startedAt: { column: 'started_at', kind: 'datetime' },
  finishedAt: { column: 'finished_at', kind: 'datetime' },
} as const satisfies Columns

/** What a job loses when no worker runs it any more. */
export const released = sql`worker = null, running_mailbox = null, lease_until = null`
