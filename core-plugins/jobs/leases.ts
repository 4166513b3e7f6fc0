import { sql } from 'drizzle-orm'
import { type Database, query } from '../database/database.ts'
import type { Attempt } from './attempt.ts'

/** Keeps the jobs that a worker runs its own. */
export interface Leases {
  /**
   * Stops what was cancelled and what is no longer this worker's, writes progress down, and renews leases when it is
   * time to. Called every second or so while anything runs.
   */
  tend(running: ReadonlyMap<number, Attempt>): Promise<void>
}

export interface LeasesOptions {
  readonly database: Database
  readonly worker: string
  readonly leaseMs: number
}

interface OwnJob {
  readonly id: number
  readonly isCancelRequested: boolean
}

export function createLeases({ database, worker, leaseMs }: LeasesOptions): Leases {
  const queries = leaseQueries(database)
  let renewedAtMs = Number.NEGATIVE_INFINITY

  /** By a clock that is never set: after a step back leases would not be renewed until the other one has caught up. */
  async function renew(): Promise<void> {
    const startedAtMs = performance.now()
    if (startedAtMs - renewedAtMs < leaseMs / 3) return
    await queries.renew.run({ worker, leaseUntil: new Date(Date.now() + leaseMs).toISOString() })
    renewedAtMs = startedAtMs
  }

  async function writeProgress(running: ReadonlyMap<number, Attempt>): Promise<void> {
    for (const [id, attempt] of running) {
      const progress = attempt.takeProgress()
      if (progress !== undefined) await queries.progress.run({ id, worker, progress })
    }
  }

  return {
    async tend(running) {
      const before = [...running]
      await renew()
      const own = new Map((await queries.own.all({ worker })).map((job) => [job.id, job]))
      for (const [id, attempt] of before) {
        // Ended meanwhile: it is nobody's any more.
        if (running.get(id) !== attempt) continue
        const job = own.get(id)
        if (job === undefined) attempt.stop('leaseLost')
        else if (job.isCancelRequested) attempt.stop('cancelled')
      }
      await writeProgress(running)
    },
  }
}

function leaseQueries(database: Database) {
  return {
    own: query<OwnJob>(
      database,
      (value) => sql`select id, is_cancel_requested as ${sql.identifier('isCancelRequested')} from svc_jobs
        where status = 'active' and worker = ${value('worker', 'string')}`,
      {
        id: { column: 'id', kind: 'id' },
        isCancelRequested: { column: 'is_cancel_requested', kind: 'boolean' },
      },
    ),
    renew: query(
      database,
      (value) => sql`update svc_jobs set lease_until = ${value('leaseUntil', 'datetime')}
        where status = 'active' and worker = ${value('worker', 'string')}`,
    ),
    progress: query(
      database,
      (value) => sql`update svc_jobs set progress = ${value('progress', 'integer')}
        where id = ${value('id', 'id')} and status = 'active' and worker = ${value('worker', 'string')}`,
    ),
  }
}
