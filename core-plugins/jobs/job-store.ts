import { type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  isUniqueViolation,
  type Query,
  query,
  selectList,
  type Value,
} from '../database/database.ts'
import { AppError, type Range } from '../http/http.ts'
import type { Job, JobStats, JobStatus } from './jobs.ts'
import type { Mailboxes } from './mailboxes.ts'
import { jobColumns } from './tables.ts'

export interface JobFilter {
  readonly status?: JobStatus | undefined
  readonly name?: string | undefined
}

/** What administrators see of the jobs, and do with them. */
export interface JobStore {
  list(filter: JobFilter, range: Range): Promise<{ jobs: Job[]; total: number }>
  find(id: number): Promise<Job | undefined>
  findMany(ids: readonly number[]): Promise<readonly Job[]>
  stats(): Promise<JobStats>
  /** @throws AppError 404, 409 */
  retry(id: number): Promise<Job>
  /** Ends what waits; of what runs, only the wish is noted. @throws AppError 404, 409 */
  cancel(id: number): Promise<Job>
}

const statuses: readonly JobStatus[] = ['waiting', 'delayed', 'active', 'completed', 'failed', 'cancelled']

/** How a status is told from what is stored. */
function conditionOf(status: JobStatus, now: SQL): SQL {
  if (status === 'delayed') return sql`status = 'waiting' and run_at > ${now}`
  if (status === 'waiting') return sql`(status = 'held' or (status = 'waiting' and run_at <= ${now}))`
  return sql`status = ${sql.raw(`'${status}'`)}`
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
    findMany: async (ids) => (await queries.findMany.all({ ids })).map(present),
    async list(filter, range) {
      const { rows, count } = queries.list(filter)
      const values = { ...range, now: new Date().toISOString(), name: filter.name }
      const [jobs, counted] = await Promise.all([rows.all(values), count.get(values)])
      return { jobs: jobs.map(present), total: counted?.total ?? 0 }
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

/** A row is a job but for its status. */
function present(row: Job): Job {
  return { ...row, status: statusOf(row) }
}

function statusOf({ status, runAt }: Job): JobStatus {
  if ((status as string) === 'held') return 'waiting'
  return status === 'waiting' && Date.parse(runAt) > Date.now() ? 'delayed' : status
}

interface CountRow {
  readonly name: string
  readonly status: JobStatus
  readonly count: number
}

const noJobs = () => Object.fromEntries(statuses.map((status) => [status, 0])) as Record<JobStatus, number>

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

const countColumns = {
  name: { column: 'name', kind: 'string' },
  status: { column: 'status', kind: 'string' },
  count: { column: 'count', kind: 'integer' },
} as const satisfies Columns

interface ListQueries {
  readonly rows: Query<Job>
  readonly count: Query<{ total: number }>
}

/** The statements of each combination of filters, prepared when it is asked for first. */
function listQueries(database: Database, select: SQL): (filter: JobFilter) => ListQueries {
  const kept = new Map<string, ListQueries>()
  return ({ status, name }) => {
    const key = `${status ?? ''} ${name !== undefined}`
    const found = kept.get(key) ?? prepareList(database, select, { status, hasName: name !== undefined })
    kept.set(key, found)
    return found
  }
}

function prepareList(
  database: Database,
  select: SQL,
  { status, hasName }: { status: JobStatus | undefined; hasName: boolean },
): ListQueries {
  const where = (value: Value) => {
    const conditions = [
      ...(status === undefined ? [] : [conditionOf(status, value('now', 'datetime'))]),
      ...(hasName ? [sql`name = ${value('name', 'string')}`] : []),
    ]
    return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  }
  return {
    rows: query<Job>(
      database,
      (value) => sql`${select} ${where(value)} order by id desc
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      jobColumns,
    ),
    count: query<{ total: number }>(
      database,
      (value) => sql`select count(*) as total from svc_jobs ${where(value)}`,
      { total: { column: 'total', kind: 'integer' } },
    ),
  }
}

function jobQueries(database: Database) {
  const select = sql`select ${selectList(database, jobColumns)} from svc_jobs`
  return {
    list: listQueries(database, select),
    find: query<Job>(database, (value) => sql`${select} where id = ${value('id', 'id')}`, jobColumns),
    findMany: query<Job>(
      database,
      (_, inList) => sql`${select} where ${inList(sql`id`, 'ids', 'id')}`,
      jobColumns,
    ),
    counts: query<CountRow>(
      database,
      (value) => {
        const shown = sql`case when status = 'held' then 'waiting'
          when status = 'waiting' and run_at > ${value('now', 'datetime')} then 'delayed' else status end`
        return sql`select name, status, count(*) as count from (select name, ${shown} as status from svc_jobs) shown
          group by name, status`
      },
      countColumns,
    ),
    oldestDue: query<{ runAt: string | null }>(
      database,
      (value) => sql`select min(run_at) as ${sql.identifier('runAt')} from svc_jobs
        where status = 'waiting' and run_at <= ${value('now', 'datetime')}`,
      { runAt: { column: 'run_at', kind: 'datetime' } },
    ),
    retry: query(
      database,
      (
        value,
      ) => sql`update svc_jobs set status = 'waiting', pending_key = job_key, attempts = 0, deaths = null, progress = 0, error = null,
        result = null, is_cancel_requested = ${value('no', 'boolean')}, run_at = ${value('now', 'datetime')},
        planned_at = ${value('now', 'datetime')}, started_at = null, finished_at = null
        where id = ${value('id', 'id')} and status in ('failed', 'cancelled')`,
    ),
    cancelWaiting: query(
      database,
      (value) => sql`update svc_jobs set status = 'cancelled', pending_key = null,
        finished_at = ${value('now', 'datetime')}
        where id = ${value('id', 'id')} and status in ('waiting', 'held')`,
    ),
    askToStop: query(
      database,
      (value) => sql`update svc_jobs set is_cancel_requested = ${value('yes', 'boolean')}
        where id = ${value('id', 'id')} and status = 'active'`,
    ),
  }
}
