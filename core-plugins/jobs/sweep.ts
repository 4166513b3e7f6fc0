import { sql } from 'drizzle-orm'
import { type Database, query } from '../database/database.ts'
import type { Mailboxes } from './mailboxes.ts'
import { released } from './tables.ts'

/** Tidies up after processes that died, and removes old jobs; any number of processes may do so. */
export interface Sweep {
  /** Gives jobs whose lease has run out to others, or ends them where they have no attempt left. */
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
  readonly attempts: number
  readonly maxAttempts: number
  readonly isCancelRequested: boolean
}

const batchSize = 200
const dayMs = 86_400_000
const whatHappened = 'the process that ran it died, or could not reach the database for too long'

export function createSweep(database: Database, mailboxes: Mailboxes): Sweep {
  const queries = sweepQueries(database)

  /** True where this process was the first to find the job. */
  async function giveBack(job: Lost, now: string): Promise<boolean> {
    const { id, attempts } = job
    const { changes } = await queries.giveBack.run({ id, attempts, now, error: whatHappened })
    return changes > 0
  }

  async function end(job: Lost, now: string): Promise<boolean> {
    const { id, attempts } = job
    const status = job.isCancelRequested ? 'cancelled' : 'failed'
    const { changes } = await queries.end.run({ id, attempts, now, status, error: whatHappened })
    return changes > 0
  }

  return {
    async reclaim() {
      const ended: number[] = []
      let waiting = 0
      const now = new Date().toISOString()
      for (const job of await queries.lost.all({ now })) {
        const hasAttemptsLeft = job.attempts < job.maxAttempts && !job.isCancelRequested
        if (hasAttemptsLeft) waiting += Number(await giveBack(job, now))
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
  const id = { column: 'id', kind: 'id' } as const
  return {
    lost: query<Lost>(
      database,
      (value) => sql`select id, attempts, max_attempts as ${sql.identifier('maxAttempts')},
        is_cancel_requested as ${sql.identifier('isCancelRequested')} from svc_jobs
        where status = 'active' and lease_until < ${value('now', 'datetime')} limit ${sql.raw(String(batchSize))}`,
      {
        id,
        attempts: { column: 'attempts', kind: 'integer' },
        maxAttempts: { column: 'max_attempts', kind: 'integer' },
        isCancelRequested: { column: 'is_cancel_requested', kind: 'boolean' },
      },
    ),
    giveBack: query(
      database,
      (value) => sql`update svc_jobs set status = 'waiting', error = ${value('error', 'text')},
        run_at = ${value('now', 'datetime')}, ${released}
        where id = ${value('id', 'id')} and status = 'active' and attempts = ${value('attempts', 'integer')}
        and lease_until < ${value('now', 'datetime')}`,
    ),
    end: query(
      database,
      (
        value,
      ) => sql`update svc_jobs set status = ${value('status', 'string')}, error = ${value('error', 'text')},
        finished_at = ${value('now', 'datetime')}, pending_key = null, ${released}
        where id = ${value('id', 'id')} and status = 'active' and attempts = ${value('attempts', 'integer')}
        and lease_until < ${value('now', 'datetime')}`,
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
