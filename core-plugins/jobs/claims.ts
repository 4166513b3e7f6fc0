import { sql } from 'drizzle-orm'
import { type Columns, type Database, isUniqueViolation, query } from '../database/database.ts'
import type { Mailboxes } from './mailboxes.ts'

/** A job that this worker may run, with the attempt that begins already counted. */
export interface ClaimedJob {
  readonly id: number
  readonly name: string
  readonly mailbox: string | null
  readonly lane: string | null
  readonly payload: unknown
  readonly attempts: number
  readonly maxAttempts: number
  readonly deaths: number | null
  readonly createdAt: string
}

export interface ClaimRequest {
  /** The kinds that this worker has room for. */
  readonly names: readonly string[]
  readonly fullLanes: readonly string[]
  /** Jobs in which more processes have died are left out. */
  readonly mostDeaths: number
  readonly limit: number
  /** Makes, for each try, what says whether there is room for one more of these jobs. */
  readonly admission: () => (job: ClaimedJob) => boolean
}

export interface Claimed {
  readonly jobs: readonly ClaimedJob[]
  /** How many were due and have to wait for others of their mailbox. */
  readonly held: number
}

/** Takes jobs that are due, each for one worker of all processes. */
export interface Claims {
  claim(request: ClaimRequest): Promise<Claimed>
  /** When the next job of these kinds is or was due; undefined where none waits. */
  nextRunAt(names: readonly string[]): Promise<string | undefined>
}

export interface ClaimsOptions {
  readonly database: Database
  readonly mailboxes: Mailboxes
  readonly worker: string
  readonly leaseMs: number
}

type Candidate = ClaimedJob & { readonly isBlocked: boolean }

const maxCollisions = 3

export function createClaims({ database, mailboxes, worker, leaseMs }: ClaimsOptions): Claims {
  const queries = claimQueries(database)

  function claimOnce({ names, fullLanes, mostDeaths, limit, admission }: ClaimRequest) {
    return database.transaction(
      async (tx) => {
        const nowMs = Date.now()
        const now = new Date(nowMs).toISOString()
        const admits = admission()
        const due = await queries.due.all({ now, names, fullLanes, mostDeaths, limit }, tx)
        const held = due.filter(({ isBlocked }) => isBlocked)
        const claimed = due.filter((job) => !job.isBlocked && admits(job))
        if (held.length > 0) await queries.hold.run({ ids: idsOf(held) }, tx)
        if (claimed.length > 0) {
          const leaseUntil = new Date(nowMs + leaseMs).toISOString()
          await queries.take.run({ ids: idsOf(claimed), worker, now, leaseUntil, no: false }, tx)
        }
        return { held, claimed: claimed.map((job) => ({ ...job, attempts: job.attempts + 1 })) }
      },
      { durability: 'relaxed' },
    )
  }

  /** Two workers may choose two jobs of one mailbox at the same moment; the index refuses one of them. */
  async function claimWithoutCollision(request: ClaimRequest) {
    for (let collisions = 0; ; collisions++) {
      try {
        return await claimOnce(request)
      } catch (error) {
        if (!isUniqueViolation(error) || collisions === maxCollisions) throw error
      }
    }
  }

  return {
    async claim(request) {
      const { held, claimed } = await claimWithoutCollision(request)
      // Those before them may have been finished before the hold was committed.
      await mailboxes.release(held.map(({ mailbox }) => mailbox))
      return { jobs: claimed, held: held.length }
    },
    async nextRunAt(names) {
      return (await queries.nextRunAt.get({ names }))?.runAt ?? undefined
    },
  }
}

const idsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ id }) => id)

const candidateColumns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  mailbox: { column: 'mailbox', kind: 'string' },
  lane: { column: 'lane', kind: 'string' },
  payload: { column: 'payload', kind: 'json' },
  attempts: { column: 'attempts', kind: 'integer' },
  maxAttempts: { column: 'max_attempts', kind: 'integer' },
  deaths: { column: 'deaths', kind: 'integer' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  isBlocked: { column: 'is_blocked', kind: 'boolean' },
} as const satisfies Columns

function claimQueries(database: Database) {
  const { dialect } = database
  const columns = Object.entries(candidateColumns)
    .filter(([name]) => name !== 'isBlocked')
    .map(([name, { column, kind }]) => {
      return sql`${dialect.select(sql`job.${sql.identifier(column)}`, kind)} as ${sql.identifier(name)}`
    })
  // One question per status, each of which is one look into the index (mailbox, status, id).
  const before = (
    status: string,
  ) => sql`exists (select 1 from svc_jobs earlier where earlier.mailbox = job.mailbox
    and earlier.status = ${sql.raw(`'${status}'`)} and earlier.id < job.id)`
  const isRunning = sql`exists (select 1 from svc_jobs running where running.mailbox = job.mailbox
    and running.status = 'active')`
  const isBlocked = sql`(job.mailbox is not null and
    (${isRunning} or ${before('waiting')} or ${before('held')}))`
  return {
    due: query<Candidate>(
      database,
      (
        value,
        inList,
      ) => sql`select ${sql.join(columns, sql`, `)}, ${isBlocked} as ${sql.identifier('isBlocked')}
        from svc_jobs job
        where job.status = 'waiting' and job.run_at <= ${value('now', 'datetime')}
        and ${inList(sql`job.name`, 'names', 'string')}
        and (job.lane is null or not ${inList(sql`job.lane`, 'fullLanes', 'string')})
        and (job.deaths is null or job.deaths <= ${value('mostDeaths', 'integer')})
        order by job.run_at, job.id limit ${value('limit', 'integer')} ${dialect.forUpdateSkipLocked}`,
      candidateColumns,
    ),
    take: query(
      database,
      (value, inList) => sql`update svc_jobs set status = 'active', attempts = attempts + 1, progress = 0,
        worker = ${value('worker', 'string')}, running_mailbox = mailbox,
        lease_until = ${value('leaseUntil', 'datetime')}, started_at = ${value('now', 'datetime')},
        is_cancel_requested = ${value('no', 'boolean')}
        where ${inList(sql`id`, 'ids', 'id')}`,
    ),
    hold: query(
      database,
      (_, inList) => sql`update svc_jobs set status = 'held' where ${inList(sql`id`, 'ids', 'id')}`,
    ),
    nextRunAt: query<{ runAt: string | null }>(
      database,
      (_, inList) => sql`select min(run_at) as ${sql.identifier('runAt')} from svc_jobs
        where status = 'waiting' and ${inList(sql`name`, 'names', 'string')}`,
      { runAt: { column: 'run_at', kind: 'datetime' } },
    ),
  }
}
