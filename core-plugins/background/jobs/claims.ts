import { type SQL, sql } from 'drizzle-orm'
import {
  column,
  type Database,
  isUniqueViolation,
  query,
  selectList,
} from '../../foundation/database/database.ts'
import type { Mailboxes } from './mailboxes.ts'
import { type JobRow, jobsTable } from './tables.ts'

/** A job claimed by this runner; the attempt that begins is already counted. */
export type ClaimedJob = Pick<JobRow, (typeof claimedColumns)[number]>

const claimedColumns = [
  ...(['id', 'name', 'mailbox', 'lane', 'payload', 'attempts', 'maxAttempts'] as const),
  ...(['deaths', 'createdAt'] as const),
] as const

export interface ClaimRequest {
  /** The kinds that this runner has capacity for. */
  readonly names: readonly string[]
  readonly fullLanes: readonly string[]
  /** Jobs during which more processes have died are skipped. */
  readonly mostDeaths: number
  readonly limit: number
  /** Creates, for each try, the function that checks whether one more job fits. */
  readonly admission: () => (job: ClaimedJob) => boolean
}

export interface Claimed {
  readonly jobs: readonly ClaimedJob[]
  /** How many were due but must wait for other jobs of their mailbox. */
  readonly held: number
}

/** Claims due jobs; each is claimed by one runner across all processes. */
export interface Claims {
  claim(request: ClaimRequest): Promise<Claimed>
  /** When the next job of these kinds is or was due; undefined if none is waiting. */
  nextRunAt(names: readonly string[]): Promise<string | undefined>
}

export interface ClaimsOptions {
  readonly database: Database
  readonly mailboxes: Mailboxes
  readonly runner: string
  readonly leaseMs: number
}

const maxCollisions = 3

export function createClaims({ database, mailboxes, runner, leaseMs }: ClaimsOptions): Claims {
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
          await queries.take.run({ ids: idsOf(claimed), runner, now, leaseUntil, no: false }, tx)
        }
        return { held, claimed: claimed.map((job) => ({ ...job, attempts: job.attempts + 1 })) }
      },
      { durability: 'relaxed' },
    )
  }

  /**
   * Two runners may pick two jobs of one mailbox at the same moment; the unique index refuses one of them.
   */
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
      // The jobs before them may have finished before the hold was committed.
      await mailboxes.release(held.map(({ mailbox }) => mailbox))
      return { jobs: claimed, held: held.length }
    },
    async nextRunAt(names) {
      return (await queries.nextRunAt.get({ names }))?.runAt ?? undefined
    },
  }
}

const idsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ id }) => id)

function claimQueries(database: Database) {
  const jobs = jobsTable.on(database)
  const { id, name, status, runAt } = jobsTable.columns
  return {
    due: dueQuery(database),
    take: jobs.update(
      (value) => sql`status = 'active', attempts = attempts + 1, progress = 0,
        worker = ${value(jobsTable.columns.runner)}, running_mailbox = mailbox,
        lease_until = ${value(jobsTable.columns.leaseUntil)}, started_at = ${value(runAt, 'now')},
        is_cancel_requested = ${value('no', 'boolean')}`,
      (_, inList) => inList(id, 'ids'),
    ),
    hold: jobs.update(
      () => sql`${status} = 'held'`,
      (_, inList) => inList(id, 'ids'),
    ),
    nextRunAt: query(
      database,
      (_, inList) => sql`select min(${runAt}) as ${sql.identifier('runAt')} from ${jobsTable}
        where ${status} = 'waiting' and ${inList(name, 'names')}`,
      { runAt: column.datetime().nullable() },
    ),
  }
}

function dueQuery(database: Database) {
  const job = jobsTable.as('job')
  const { id, name, mailbox, lane, status, deaths, runAt } = job.columns
  const claimed = job.pick(...claimedColumns)
  return query(
    database,
    (
      value,
      inList,
    ) => sql`select ${selectList(database, claimed)}, ${isBlocked()} as ${sql.identifier('isBlocked')}
      from ${job} where ${status} = 'waiting' and ${runAt} <= ${value(runAt, 'now')} and ${inList(name, 'names')}
      and (${lane} is null or not ${inList(lane, 'fullLanes')})
      and (${deaths} is null or ${deaths} <= ${value(deaths, 'mostDeaths')})
      order by ${runAt}, ${id} limit ${value('limit', 'integer')} ${database.dialect.forUpdateSkipLocked}`,
    { ...claimed, isBlocked: column.boolean() },
  )

  /** One query per status, each a single lookup in the index (mailbox, status, id). */
  function isBlocked(): SQL {
    const before = (status: string) => sql`exists (select 1 from ${jobsTable} earlier
      where earlier.mailbox = ${mailbox} and earlier.status = ${sql.raw(`'${status}'`)} and earlier.id < ${id})`
    const isRunning = sql`exists (select 1 from ${jobsTable} running where running.mailbox = ${mailbox}
      and running.status = 'active')`
    return sql`(${mailbox} is not null and (${isRunning} or ${before('waiting')} or ${before('held')}))`
  }
}
