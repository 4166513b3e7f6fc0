import { type SQL, sql } from 'drizzle-orm'
import {
  column,
  type Database,
  isUniqueViolation,
  type Page,
  query,
  type Value,
} from '../../foundation/database/database.ts'
import { AppError, type Range } from '../../foundation/http/http.ts'
import { type Job, type JobStats, type JobStatus, jobStatuses } from './job.ts'
import type { Mailboxes } from './mailboxes.ts'
import { givenUp, type JobRow, jobsTable, untold } from './tables.ts'

/*
 * This queue is implemented here, because a job is created in the transaction of its cause, which no library supports on all
 * three databases. With Redis, BullMQ chooses the process that runs a job; the row stays authoritative.
 */

export interface JobFilter {
  readonly status?: JobStatus | undefined
  readonly name?: string | undefined
}

/** The administrators' view of jobs and their actions. */
export interface JobStore {
  list(filter: JobFilter, range: Range): Promise<{ jobs: Job[]; total: number }>
  find(id: number): Promise<Job | undefined>
  findUnfinished(key: string): Promise<Job | undefined>
  findMany(ids: readonly number[]): Promise<readonly Job[]>
  stats(): Promise<JobStats>
  /** @throws AppError 404, 409 */
  retry(id: number): Promise<Job>
  /** Cancels a waiting job; for a running one, only records the request. @throws AppError 404, 409 */
  cancel(id: number): Promise<Job>
  /** Records that the job's failure or cancellation has been reported to its kind and the listeners. */
  markReported(id: number): Promise<void>
}

/** The columns of a `Job`. */
const shown = jobsTable.except(
  ...(['pendingKey', 'runningMailbox', 'lane', 'deaths', 'runner', 'leaseUntil'] as const),
  ...(['isCancelRequested', 'plannedAt'] as const),
)

type ShownRow = Pick<JobRow, (typeof shown)[number]>

const { id, name, status, runAt } = jobsTable.columns

/** The SQL condition for each status. */
function conditionOf(asked: JobStatus, now: SQL): SQL {
  if (asked === 'delayed') return sql`${status} = 'waiting' and ${runAt} > ${now}`
  if (asked === 'waiting') return sql`(${status} = 'held' or (${status} = 'waiting' and ${runAt} <= ${now}))`
  if (asked === 'failed') return sql`${status} in ('failed', 'failing')`
  if (asked === 'cancelled') return sql`${status} in ('cancelled', 'cancelling')`
  return sql`${status} = ${sql.raw(`'${asked}'`)}`
}

export function createJobStore(database: Database, mailboxes: Mailboxes): JobStore {
  const queries = jobQueries(database)

  async function find(id: number): Promise<Job | undefined> {
    const row = await queries.find.get({ id })
    return row === undefined ? undefined : present(row)
  }

  async function require(id: number): Promise<Job> {
    const job = await find(id)
    if (job === undefined) throw AppError.notFound('job')
    return job
  }

  return {
    find,
    async findUnfinished(pendingKey) {
      const row = await queries.findUnfinished.get({ pendingKey })
      return row && present(row)
    },
    findMany: async (ids) => (await queries.findMany.all({ ids })).map(present),
    async list(filter, range) {
      const values = { ...range, now: new Date().toISOString(), name: filter.name }
      const { rows, total } = await queries.page(filter)(values)
      return { jobs: rows.map(present), total }
    },
    async stats() {
      const now = new Date().toISOString()
      const [rows, oldest] = await Promise.all([queries.counts.all({ now }), queries.oldestDue.get({ now })])
      const lagMs = oldest?.runAt == null ? 0 : Math.max(0, Date.parse(now) - Date.parse(oldest.runAt))
      return { byStatus: sumByStatus(rows), byName: groupByName(rows), lagMs }
    },
    async retry(id) {
      const now = new Date().toISOString()
      const { changes } = await unlessKeyTaken(queries.retry.run({ id, now, no: false }))
      const job = await require(id)
      if (changes === 0) throw notNow(job, 'retried', 'failed and cancelled jobs can be')
      return job
    },
    async cancel(id) {
      const now = new Date().toISOString()
      const { changes } = await queries.cancelWaiting.run({ id, now })
      const job = await require(id)
      if (changes > 0) await mailboxes.release([job.mailbox])
      else if ((await queries.askToStop.run({ id, yes: true })).changes === 0) {
        throw notNow(job, 'cancelled', 'only waiting, delayed and active jobs can be')
      }
      return job
    },
    async markReported(id) {
      await queries.markReported.run({ id })
    },
  }
}

async function unlessKeyTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('CONFLICT', 'another job with the same key is waiting or running', { cause: error })
  }
}

function notNow(job: Job, what: string, remedy: string): AppError {
  return new AppError('CONFLICT', `job ${job.id} is ${job.status} and cannot be ${what}; ${remedy}`)
}

/** A row is a job except for its status. */
function present(row: ShownRow): Job {
  return { ...row, status: statusOf(row) }
}

function statusOf({ status, runAt }: ShownRow): JobStatus {
  if (status === 'held') return 'waiting'
  if (status === 'failing') return 'failed'
  if (status === 'cancelling') return 'cancelled'
  return status === 'waiting' && Date.parse(runAt) > Date.now() ? 'delayed' : status
}

interface CountRow {
  readonly name: string
  readonly status: JobStatus
  readonly count: number
}

const noJobs = () => Object.fromEntries(jobStatuses.map((status) => [status, 0])) as Record<JobStatus, number>

function sumByStatus(rows: readonly CountRow[]): Record<JobStatus, number> {
  const counts = noJobs()
  for (const { status, count } of rows) counts[status] += count
  return counts
}

function groupByName(rows: readonly CountRow[]): Record<string, Record<JobStatus, number>> {
  const byName: Record<string, Record<JobStatus, number>> = {}
  for (const { name, status, count } of rows) {
    byName[name] ??= noJobs()
    byName[name][status] += count
  }
  return byName
}

/** The statements per combination of filters, prepared on first use. */
function createPages(database: Database): (filter: JobFilter) => Page<ShownRow> {
  const kept = new Map<string, Page<ShownRow>>()
  return (filter) => {
    const key = `${filter.status ?? ''} ${filter.name !== undefined}`
    const found = kept.get(key) ?? preparePage(database, filter)
    kept.set(key, found)
    return found
  }
}

function preparePage(database: Database, filter: JobFilter): Page<ShownRow> {
  const conditions = (value: Value) => [
    ...(filter.status === undefined ? [] : [conditionOf(filter.status, value(runAt, 'now'))]),
    ...(filter.name === undefined ? [] : [sql`${name} = ${value(name)}`]),
  ]
  const isFiltered = filter.status !== undefined || filter.name !== undefined
  return jobsTable.on(database).page(isFiltered ? (value) => sql.join(conditions(value), sql` and `) : [], {
    pick: shown,
    orderBy: sql`${id} desc`,
  })
}

function jobQueries(database: Database) {
  const jobs = jobsTable.on(database)
  return {
    page: createPages(database),
    find: jobs.find(['id'], { pick: shown }),
    findUnfinished: jobs.find(['pendingKey'], { pick: shown }),
    findMany: jobs.find((_, inList) => inList(id, 'ids'), { pick: shown }),
    ...statisticQueries(database),
    retry: jobs.update(
      (
        value,
      ) => sql`status = 'waiting', pending_key = job_key, attempts = 0, deaths = null, progress = 0, error = null,
        result = null, is_cancel_requested = ${value('no', 'boolean')}, run_at = ${value(runAt, 'now')},
        planned_at = ${value(runAt, 'now')}, started_at = null, finished_at = null`,
      (value) => sql`${id} = ${value(id)} and ${status} in ${givenUp}`,
    ),
    cancelWaiting: jobs.update(
      (value) =>
        sql`status = ${sql.raw(`'${untold.cancelled}'`)}, pending_key = null, finished_at = ${value(runAt, 'now')}`,
      (value) => sql`${id} = ${value(id)} and ${status} in ('waiting', 'held')`,
    ),
    markReported: jobs.update(
      () => sql`status = case when ${status} = 'failing' then 'failed' else 'cancelled' end`,
      (value) => sql`${id} = ${value(id)} and ${status} in ('failing', 'cancelling')`,
    ),
    askToStop: jobs.update(
      (value) => sql`is_cancel_requested = ${value('yes', 'boolean')}`,
      (value) => sql`${id} = ${value(id)} and ${status} = 'active'`,
    ),
  }
}

function statisticQueries(database: Database) {
  return {
    counts: query<CountRow>(
      database,
      (value) => {
        const shown = sql`case when ${status} = 'held' then 'waiting'
          when ${status} = 'failing' then 'failed' when ${status} = 'cancelling' then 'cancelled'
          when ${status} = 'waiting' and ${runAt} > ${value(runAt, 'now')} then 'delayed' else ${status} end`
        return sql`select name, status, count(*) as count
          from (select ${name}, ${shown} as status from ${jobsTable}) shown group by name, status`
      },
      { name, status, count: column.integer() },
    ),
    oldestDue: query(
      database,
      (value) => sql`select min(${runAt}) as ${sql.identifier('runAt')} from ${jobsTable}
        where ${status} = 'waiting' and ${runAt} <= ${value(runAt, 'now')}`,
      { runAt: column.datetime().nullable() },
    ),
  }
}
