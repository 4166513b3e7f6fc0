import { sql } from 'drizzle-orm'
import { type Database, query } from '../database/database.ts'
import type { Kinds } from './kinds.ts'
import type { Mailboxes } from './mailboxes.ts'
import { createMoments } from './moments.ts'
import { released } from './tables.ts'
import { createUnrenewed } from './unrenewed.ts'

/** Tidies up after processes that died, and removes old jobs; any number of processes may do so. */
export interface Sweep {
  /**
   * Gives jobs whose lease has run out to others, or ends them where they have no attempt left or have taken too many
   * processes down. Those that wait for a moment of a clock that was set back since get a new one.
   */
  reclaim(): Promise<Reclaimed>
  /** Removes jobs that were finished so many days ago; failed ones after twice as many. */
  prune(retentionDays: number): Promise<void>
}

export interface Reclaimed {
  /** How many wait again. */
  readonly waiting: number
  /** The ids of those that have failed or were to be cancelled. */
  readonly ended: readonly number[]
}

interface Lost {
  readonly id: number
  readonly leaseUntil: string
  readonly name: string
  readonly attempts: number
  readonly maxAttempts: number
  /** Of processes before this one. */
  readonly deaths: number | null
  readonly isCancelRequested: boolean
}

const batchSize = 200
const dayMs = 86_400_000
const whatHappened = 'the process that ran it died, or could not reach the database for too long'

export interface SweepOptions {
  readonly database: Database
  readonly kinds: Kinds
  readonly mailboxes: Mailboxes
  readonly leaseMs: number
}

export function createSweep({ database, kinds, mailboxes, leaseMs }: SweepOptions): Sweep {
  const queries = sweepQueries(database)
  const moments = createMoments(database)
  const unrenewed = createUnrenewed(leaseMs)

  /** A lease that lies further ahead than any is given was given before the clock was set back. */
  async function lostJobs(nowMs: number): Promise<readonly Lost[]> {
    const now = new Date(nowMs).toISOString()
    const furthest = new Date(nowMs + leaseMs).toISOString()
    const found = await queries.lost.all({ now, furthest })
    const isOver = ({ leaseUntil }: Lost) => leaseUntil < now
    return [...found.filter(isOver), ...unrenewed(found.filter((job) => !isOver(job)))]
  }

  function mayRunAgain({ name, attempts, maxAttempts, deaths, isCancelRequested }: Lost): boolean {
    if (isCancelRequested || attempts >= maxAttempts) return false
    return (deaths ?? 0) + 1 < kinds.maxDeathsOf(name)
  }

  /** True where this process was the first to find the job. */
  async function giveBack(job: Lost, now: string): Promise<boolean> {
    const { id, attempts, leaseUntil } = job
    const { changes } = await queries.giveBack.run({ id, attempts, leaseUntil, now, error: whatHappened })
    return changes > 0
  }

  async function end(job: Lost, now: string): Promise<boolean> {
    const { id, attempts, leaseUntil } = job
    const status = job.isCancelRequested ? 'cancelled' : 'failed'
    const { changes } = await queries.end.run({ id, attempts, leaseUntil, now, status, error: whatHappened })
    return changes > 0
  }

  return {
    async reclaim() {
      const ended: number[] = []
      const nowMs = Date.now()
      const now = new Date(nowMs).toISOString()
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

function sweepQueries(database: Database) {
  const { dialect } = database
  const id = { column: 'id', kind: 'id' } as const
  return {
    lost: query<Lost>(
      database,
      (value) => sql`select id, name, attempts, deaths, max_attempts as ${sql.identifier('maxAttempts')},
        is_cancel_requested as ${sql.identifier('isCancelRequested')},
        ${dialect.select(sql`lease_until`, 'datetime')} as ${sql.identifier('leaseUntil')} from svc_jobs
        where status = 'active' and (lease_until < ${value('now', 'datetime')}
        or lease_until > ${value('furthest', 'datetime')}) order by lease_until limit ${sql.raw(String(batchSize))}`,
      {
        id,
        leaseUntil: { column: 'lease_until', kind: 'datetime' },
        name: { column: 'name', kind: 'string' },
        deaths: { column: 'deaths', kind: 'integer' },
        attempts: { column: 'attempts', kind: 'integer' },
        maxAttempts: { column: 'max_attempts', kind: 'integer' },
        isCancelRequested: { column: 'is_cancel_requested', kind: 'boolean' },
      },
    ),
    giveBack: query(
      database,
      (value) => sql`update svc_jobs set status = 'waiting', error = ${value('error', 'text')},
        deaths = coalesce(deaths, 0) + 1, run_at = ${value('now', 'datetime')},
        planned_at = ${value('now', 'datetime')}, ${released}
        where id = ${value('id', 'id')} and status = 'active' and attempts = ${value('attempts', 'integer')}
        and lease_until = ${value('leaseUntil', 'datetime')}`,
    ),
    end: query(
      database,
      (
        value,
      ) => sql`update svc_jobs set status = ${value('status', 'string')}, error = ${value('error', 'text')},
        finished_at = ${value('now', 'datetime')}, pending_key = null, ${released}
        where id = ${value('id', 'id')} and status = 'active' and attempts = ${value('attempts', 'integer')}
        and lease_until = ${value('leaseUntil', 'datetime')}`,
    ),
    old: query<{ id: number }>(
      database,
      (value) => sql`select id from svc_jobs where finished_at < ${value('completed', 'datetime')}
        and (status <> 'failed' or finished_at < ${value('failed', 'datetime')})
        order by finished_at limit ${sql.raw(String(batchSize))}`,
      { id },
    ),
    remove: query(database, (_, inList) => sql`delete from svc_jobs where ${inList(sql`id`, 'ids', 'id')}`),
  }
}
