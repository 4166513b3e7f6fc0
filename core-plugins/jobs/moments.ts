import { sql } from 'drizzle-orm'
import { type Columns, type Database, query, selectList } from '../database/database.ts'

/** When jobs are due, by a clock that may be set back. */
export interface Moments {
  /**
   * Finds jobs that were planned at a moment that has yet to come, and lets them wait from now on as long as they were
   * to wait then. Those that somebody wants to run at a certain moment keep it. Answers how many they were.
   */
  planAnew(nowMs: number): Promise<number>
}

interface Misdated {
  readonly id: number
  readonly runAt: string
  /** Null where it was to run when it was made. */
  readonly plannedAt: string | null
}

const columns = {
  id: { column: 'id', kind: 'id' },
  runAt: { column: 'run_at', kind: 'datetime' },
  plannedAt: { column: 'planned_at', kind: 'datetime' },
} as const satisfies Columns

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
  return {
    misdated: query<Misdated>(
      database,
      (value) => sql`select ${selectList(database, columns)} from svc_jobs
        where status = 'waiting' and run_at > ${value('now', 'datetime')}
        and (planned_at > ${value('now', 'datetime')} or (planned_at is null and run_at <= created_at))
        limit ${sql.raw(String(batchSize))}`,
      columns,
    ),
    move: query(
      database,
      (value) => sql`update svc_jobs set run_at = ${value('runAt', 'datetime')},
        planned_at = ${value('now', 'datetime')}
        where id = ${value('id', 'id')} and status = 'waiting' and run_at = ${value('seen', 'datetime')}`,
    ),
  }
}
