import { sql } from 'drizzle-orm'
import type { Database, Value } from '../../foundation/database/database.ts'
import type { Attempt } from './attempt.ts'
import { jobsTable } from './tables.ts'

/** Keeps a runner's claims on its jobs. */
export interface Leases {
  /**
   * Stops jobs that were cancelled or lost, writes progress, and renews leases when due. Called about once a
   * second while anything runs.
   */
  tend(running: ReadonlyMap<number, Attempt>): Promise<void>
}

export interface LeasesOptions {
  readonly database: Database
  readonly runner: string
  readonly leaseMs: number
}

export function createLeases({ database, runner, leaseMs }: LeasesOptions): Leases {
  const queries = leaseQueries(database)
  let renewedAtMs = Number.NEGATIVE_INFINITY

  /**
   * Uses a monotonic clock: if the system clock were set back, leases would not be renewed until it caught up. Only running jobs
   * are renewed: a job claimed for this runner whose claim was never confirmed, because the database connection was lost, must
   * expire, or it would be stuck for as long as this process runs other jobs.
   */
  async function renew(ids: readonly number[]): Promise<void> {
    const startedAtMs = performance.now()
    if (startedAtMs - renewedAtMs < leaseMs / 3) return
    await queries.renew.run({ runner, ids, leaseUntil: new Date(Date.now() + leaseMs).toISOString() })
    renewedAtMs = startedAtMs
  }

  async function writeProgress(running: ReadonlyMap<number, Attempt>): Promise<void> {
    for (const [id, attempt] of running) {
      const progress = attempt.takeProgress()
      if (progress !== undefined) await queries.progress.run({ id, runner, progress })
    }
  }

  return {
    async tend(running) {
      const before = [...running]
      await renew(before.map(([id]) => id))
      const own = new Map((await queries.own.all({ runner })).map((job) => [job.id, job]))
      for (const [id, attempt] of before) {
        // It has ended in the meantime, so this runner no longer holds it.
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
  const jobs = jobsTable.on(database)
  const { id, status, runner } = jobsTable.columns
  const isOwn = (value: Value) => sql`${status} = 'active' and ${runner} = ${value(runner)}`
  return {
    own: jobs.find(isOwn, { pick: ['id', 'isCancelRequested'] }),
    renew: jobs.update(['leaseUntil'], (value, inList) => sql`${inList(id, 'ids')} and ${isOwn(value)}`),
    progress: jobs.update(['progress'], (value) => sql`${id} = ${value(id)} and ${isOwn(value)}`),
  }
}
