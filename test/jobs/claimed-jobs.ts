import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import { type ClaimedJob, createClaims } from '../../core-plugins/background/jobs/claims.ts'
import { jobsTable } from '../../core-plugins/background/jobs/tables.ts'
import { silentLog } from '../../kernel/index.ts'
import { selectRows, type TableRow } from '../support/table-rows.ts'
import type { TestKind } from './jobs-world.ts'
import type { Queue } from './open-queue.ts'

/** How long a lease lasts. */
export const leaseMs = 60_000

/** The dependencies of a runner with this name. */
export const runnerOf = ({ database, mailboxes }: Queue, runner = 'me', log = silentLog) => ({
  ...{ database, mailboxes, runner, leaseMs, log },
})

export interface ClaimOptions {
  readonly by?: string
  /** Called at the start of each try. */
  readonly admission?: () => (job: ClaimedJob) => boolean
}

/** Claims what is due. */
export function claim(queue: Queue, { by, admission = () => () => true }: ClaimOptions = {}) {
  const request = { names: queue.kinds.names, fullLanes: [], mostDeaths: 100, limit: 1000 }
  return createClaims(runnerOf(queue, by)).claim({ ...request, admission })
}

/** Makes this many jobs and claims them. */
export async function claimNew(queue: Queue, kind: TestKind, count: number): Promise<readonly ClaimedJob[]> {
  for (let made = 0; made < count; made++) await queue.enqueue(kind)
  const { jobs } = await claim(queue)
  assert.equal(jobs.length, count)
  return jobs
}

export const rowsOf = ({ database }: Queue) => selectRows(database, jobsTable.spec)

export async function rowOf(queue: Queue, id: number): Promise<TableRow> {
  return (await rowsOf(queue)).find((row) => row.id === id) ?? {}
}

/** Writes directly to the table: assignments, and a condition if not all jobs are meant. */
export const change = ({ database }: Queue, assignments: string) =>
  database.run(database.prepare(sql`update svc_jobs set ${sql.raw(assignments)}`))

export const removeAll = ({ database }: Queue) => database.run(database.prepare(sql`delete from svc_jobs`))

/** The remaining lease of a job in milliseconds. */
export async function leaseLeft(queue: Queue, id: number): Promise<number> {
  return Date.parse(String((await rowOf(queue, id)).lease_until)) - Date.now()
}
