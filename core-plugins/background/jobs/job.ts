import { Type } from 'typebox'
import { orNull, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

export const jobStatuses = ['waiting', 'delayed', 'active', 'completed', 'failed', 'cancelled'] as const

/**
 * See docs/jobs.md. A `delayed` job waits for its time; a job that waits for others of its mailbox is `waiting`. `completed`,
 * `failed` and `cancelled` jobs are finished.
 */
export type JobStatus = (typeof jobStatuses)[number]

/** A job as the API shows it. */
export const jobSchema = Type.Object(
  {
    id: Type.Integer(),
    /** The kind's name. */
    name: Type.String(),
    key: orNull(Type.String()),
    mailbox: orNull(Type.String()),
    status: Type.Enum([...jobStatuses]),
    payload: Type.Unknown(),
    /** How often it was started. */
    attempts: Type.Integer(),
    maxAttempts: Type.Integer(),
    progress: Type.Integer({ description: 'Per cent' }),
    /** What the kind's `run` returned. */
    result: Type.Unknown(),
    /** The error of the last failed attempt. */
    error: orNull(Type.String()),
    run_at: timestampSchema,
    created_at: timestampSchema,
    started_at: orNull(timestampSchema),
    finished_at: orNull(timestampSchema),
  },
  strict,
)

/** A job; timestamps are ISO 8601. */
export type Job = RecordOf<typeof jobSchema>

const count = Type.Integer()
const countsSchema = Type.Object(
  Object.fromEntries(jobStatuses.map((status) => [status, count])) as Record<JobStatus, typeof count>,
  strict,
)

/** Counts of jobs by status, and by kind and status. */
export const jobStatsSchema = Type.Object(
  {
    byStatus: countsSchema,
    byName: Type.Record(Type.String(), countsSchema),
    /** 0 if none is due. */
    lagMs: Type.Integer({ description: 'How long the oldest due job has been waiting, in milliseconds' }),
  },
  strict,
)

/** Counts of jobs; see `jobStatsSchema`. */
export type JobStats = RecordOf<typeof jobStatsSchema>
