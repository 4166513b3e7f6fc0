import { sql } from 'drizzle-orm'
import type { Database, Value } from '../../foundation/database/database.ts'
import type { Kinds } from './kinds.ts'
import type { Mailboxes } from './mailboxes.ts'
import { createMoments } from './moments.ts'
import { type JobRow, jobsTable, released, untold } from './tables.ts'
import { createUnrenewed } from './unrenewed.ts'

/** Recovers the jobs of dead processes and removes old ones; safe in any number of processes. */
export interface Maintenance {
  /**
   * Releases jobs whose lease has expired, or ends those that have no attempt left or have killed too many
   * processes. Jobs planned by a clock that was set back since are planned again.
   */
  reclaim(): Promise<Reclaimed>
  /** Removes jobs that finished this many days ago; failed ones after twice as many. */
  prune(retentionDays: number): Promise<void>
}

export interface Reclaimed {
  /** How many jobs are waiting again. */
  readonly waiting: number
  /** The ids of jobs that failed or should be cancelled, and of those whose end has not been reported yet. */
  readonly ended: readonly number[]
}

/** A job whose runner is gone; `deaths` does not include that runner. */
interface Lost
  extends Pick<JobRow, 'id' | 'name' | 'attempts' | 'maxAttempts' | 'deaths' | 'isCancelRequested'> {
  readonly leaseUntil: string
}

const batchSize = 200
const dayMs = 86_400_000
const longestTellingMs = 6 * 3_600_000
const whatHappened = 'the process that ran it died, or could not reach the database for too long'

export interface MaintenanceOptions {
  readonly database: Database
  readonly kinds: Kinds
  readonly mailboxes: Mailboxes
  readonly leaseMs: number
}

export function createMaintenance({ database, kinds, mailboxes, leaseMs }: MaintenanceOptions): Maintenance {
  const queries = maintenanceQueries(database)
  const moments = createMoments(database)
  const unrenewed = createUnrenewed(leaseMs)

  /** A lease that ends further in the future than a lease lasts was granted before the clock was set back. */
  async function lostJobs(nowMs: number): Promise<readonly Lost[]> {
    const now = new Date(nowMs).toISOString()
    const furthest = new Date(nowMs + leaseMs).toISOString()
    const active = await queries.lost.all({ now, furthest })
    const found = active.filter((job): job is Lost => job.leaseUntil !== null)
    const isOver = ({ leaseUntil }: Lost) => leaseUntil < now
    return [...found.filter(isOver), ...unrenewed(found.filter((job) => !isOver(job)))]
  }

  function mayRunAgain({ name, attempts, maxAttempts, deaths, isCancelRequested }: Lost): boolean {
    if (isCancelRequested || attempts >= maxAttempts) return false
    return (deaths ?? 0) + 1 < kinds.maxDeathsOf(name)
  }

  /** Releases the job; true if this process was the first to do so. */
  async function giveBack(job: Lost, now: string): Promise<boolean> {
    const { id, attempts, leaseUntil } = job
    const { changes } = await queries.giveBack.run({ id, attempts, leaseUntil, now, error: whatHappened })
    return changes > 0
  }

  async function end(job: Lost, now: string): Promise<boolean> {
    const { id, attempts, leaseUntil } = job
    const status = untold[job.isCancelRequested ? 'cancelled' : 'failed']
    const { changes } = await queries.end.run({ id, attempts, leaseUntil, now, status, error: whatHappened })
    return changes > 0
  }

  /** Jobs whose end was not reported within the duration of a lease. After some hours without success, reporting is given up. */
  async function untoldIds(nowMs: number): Promise<number[]> {
    const before = (ms: number) => new Date(nowMs - ms).toISOString()
    const jobs = await queries.untold.all({ recent: before(longestTellingMs), overdue: before(leaseMs) })
    return jobs.map(({ id }) => id)
  }

  return {
    async reclaim() {
      const nowMs = Date.now()
      const now = new Date(nowMs).toISOString()
      const ended = await untoldIds(nowMs)
      let waiting = await moments.planAnew(nowMs)
      for (const job of await lostJobs(nowMs)) {
        if (mayRunAgain(job)) waiting += Number(await giveBack(job, now))
        else if (await end(job, now)) ended.push(job.id)
      }
      await mailboxes.releaseAll()
      return { waiting, ended }
    },
    async prune(retentionDays) {
      const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
      const before = { completed: daysAgo(retentionDays), failed: daysAgo(2 * retentionDays) }
      for (;;) {
        const old = await queries.old.all(before)
        if (old.length === 0) return
        await queries.remove.run({ ids: old.map(({ id }) => id) })
      }
    },
  }
}

function maintenanceQueries(database: Database) {
  const jobs = jobsTable.on(database)
  const { id, status, error, attempts, leaseUntil, finishedAt, runAt } = jobsTable.columns
  const isStillLost = (value: Value) => sql`${id} = ${value(id)} and ${status} = 'active'
    and ${attempts} = ${value(attempts)} and ${leaseUntil} = ${value(leaseUntil)}`
  return {
    lost: jobs.find(
      (value) => sql`${status} = 'active' and (${leaseUntil} < ${value(leaseUntil, 'now')}
        or ${leaseUntil} > ${value(leaseUntil, 'furthest')})`,
      {
        pick: ['id', 'leaseUntil', 'name', 'deaths', 'attempts', 'maxAttempts', 'isCancelRequested'],
        orderBy: sql`${leaseUntil}`,
        limit: batchSize,
      },
    ),
    untold: jobs.find(
      (value) => sql`${status} in ('failing', 'cancelling') and ${finishedAt} > ${value(finishedAt, 'recent')}
        and ${finishedAt} < ${value(finishedAt, 'overdue')}`,
      { pick: ['id'], orderBy: sql`${id}`, limit: batchSize },
    ),
    giveBack: jobs.update(
      (value) => sql`${status} = 'waiting', ${error} = ${value(error)}, deaths = coalesce(deaths, 0) + 1,
        run_at = ${value(runAt, 'now')}, planned_at = ${value(runAt, 'now')}, ${released}`,
      isStillLost,
    ),
    end: jobs.update(
      (value) => sql`${status} = ${value(status)}, ${error} = ${value(error)},
        ${finishedAt} = ${value(finishedAt, 'now')}, pending_key = null, ${released}`,
      isStillLost,
    ),
    old: jobs.find(
      (value) => sql`${finishedAt} < ${value(finishedAt, 'completed')}
        and (${status} not in ('failed', 'failing') or ${finishedAt} < ${value(finishedAt, 'failed')})`,
      { pick: ['id'], orderBy: sql`${finishedAt}`, limit: batchSize },
    ),
    remove: jobs.delete((_, inList) => inList(id, 'ids')),
  }
}
