import { sql } from 'drizzle-orm'
import type { Database } from '../../foundation/database/database.ts'
import { type JobRow, jobsTable } from './tables.ts'

/** Due times of jobs, corrected after the clock is set back. */
export interface Moments {
  /**
   * Finds jobs that were planned at a time that is still in the future, and restarts their delay from now. Jobs with a time
   * requested by a caller keep it. Returns the number of jobs changed.
   */
  planAnew(nowMs: number): Promise<number>
}

/** `plannedAt` is null if the due time was set when the job was created. */
type Misdated = Pick<JobRow, 'id' | 'runAt' | 'plannedAt'>

const batchSize = 200

export function createMoments(database: Database): Moments {
  const queries = momentQueries(database)

  async function move({ id, runAt, plannedAt }: Misdated, nowMs: number): Promise<void> {
    const waitMs = plannedAt === null ? 0 : Math.max(0, Date.parse(runAt) - Date.parse(plannedAt))
    const now = new Date(nowMs).toISOString()
    await queries.move.run({ id, seen: runAt, now, runAt: new Date(nowMs + waitMs).toISOString() })
  }

  return {
    async planAnew(nowMs) {
      const misdated = await queries.misdated.all({ now: new Date(nowMs).toISOString() })
      for (const job of misdated) await move(job, nowMs)
      return misdated.length
    },
  }
}

function momentQueries(database: Database) {
  const { id, status, runAt, plannedAt, createdAt } = jobsTable.columns
  const jobs = jobsTable.on(database)
  return {
    misdated: jobs.find(
      (value) => sql`${status} = 'waiting' and ${runAt} > ${value(runAt, 'now')}
        and (${plannedAt} > ${value(runAt, 'now')} or (${plannedAt} is null and ${runAt} <= ${createdAt}))`,
      { pick: ['id', 'runAt', 'plannedAt'], limit: batchSize },
    ),
    move: jobs.update(
      (value) => sql`${runAt} = ${value(runAt)}, ${plannedAt} = ${value(plannedAt, 'now')}`,
      (value) => sql`${id} = ${value(id)} and ${status} = 'waiting' and ${runAt} = ${value(runAt, 'seen')}`,
    ),
  }
}
