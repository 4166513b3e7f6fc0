import assert from 'node:assert/strict'
import { type SQL, sql } from 'drizzle-orm'
import type { ColumnKinds } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { Client } from '../support/client.ts'

/** A row of `svc_jobs`, as it is stored. */
export interface StoredJob {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly payload: { readonly delivery?: string }
  readonly worker: string | null
  readonly runningMailbox: string | null
  readonly pendingKey: string | null
}

/** A row of `svc_webhook_deliveries` with its payload. */
export interface StoredDelivery {
  readonly uid: string
  readonly webhookId: number
  readonly status: string
  /** `create 1` */
  readonly change: string
  /** Of the note. */
  readonly name: string
}

async function select<R>(database: Driver, text: SQL, kinds: ColumnKinds): Promise<R[]> {
  return database.all(database.prepare<R>(text, kinds))
}

const as = (column: string, name: string) => sql`${sql.identifier(column)} as ${sql.identifier(name)}`

export async function storedJobs(database: Driver): Promise<StoredJob[]> {
  const payload = database.dialect.select(sql`payload`, 'json')
  return select(
    database,
    sql`select id, name, status, ${payload} as ${sql.identifier('payload')}, worker,
      ${as('running_mailbox', 'runningMailbox')}, ${as('pending_key', 'pendingKey')} from svc_jobs order by id`,
    { id: 'id', payload: 'json' },
  )
}

/** In the order in which the changes were made. */
export async function storedDeliveries(database: Driver): Promise<StoredDelivery[]> {
  const rows = await select<{ uid: string; webhookId: number; status: string; event: string; data: string }>(
    database,
    sql`select uid, ${as('webhook_id', 'webhookId')}, status, event, data from svc_webhook_deliveries d
      join svc_webhook_payloads p on p.id = d.payload_id order by d.id`,
    { webhookId: 'integer' },
  )
  return rows.map(({ event, data, ...rest }) => {
    const { name, version } = JSON.parse(data).entry
    return { ...rest, name, change: changeOf(event, version) }
  })
}

export const changeOf = (event: string, version: number) => `${event.replace('entry.', '')} ${version}`

/** Versions of notes by name. */
export async function storedNotes(database: Driver): Promise<Map<string, number>> {
  const rows = await select<{ name: string; version: number }>(
    database,
    sql`select name, version from content_note`,
    { version: 'integer' },
  )
  return new Map(rows.map(({ name, version }) => [name, version]))
}

const unfinished: ReadonlySet<string> = new Set(['waiting', 'held', 'active'])
const undelivered: ReadonlySet<string> = new Set(['pending', 'retrying'])

/** Each delivery that is still to be made has one job that will make it; no job carries a delivery that is not there. */
export function checkJobsOfDeliveries(
  jobs: readonly StoredJob[],
  deliveries: readonly StoredDelivery[],
): void {
  const carrying = jobs.filter(({ name }) => name === 'webhooks.deliver')
  const carried = carrying.map(({ payload }) => payload.delivery)
  const uids = new Set<string | undefined>(deliveries.map(({ uid }) => uid))
  assert.deepEqual(
    carried.filter((uid) => !uids.has(uid)),
    [],
    'jobs without their deliveries',
  )
  assert.equal(new Set(carried).size, carried.length, 'a delivery has two jobs')
  const open = new Set(
    carrying.filter(({ status }) => unfinished.has(status)).map(({ payload }) => payload.delivery),
  )
  const forgotten = deliveries.filter(({ uid, status }) => undelivered.has(status) && !open.has(uid))
  assert.deepEqual(forgotten, [], 'deliveries that no job will make')
}

/** Nobody holds anything any more, once all is done. */
export function checkNothingRuns(jobs: readonly StoredJob[]): void {
  assert.deepEqual(
    jobs.filter(({ status }) => unfinished.has(status)),
    [],
    'unfinished jobs',
  )
  const isHeld = ({ worker, runningMailbox, pendingKey }: StoredJob) =>
    worker !== null || runningMailbox !== null || pendingKey !== null
  assert.deepEqual(jobs.filter(isHeld), [], 'finished jobs that still hold something')
}

/** @throws AssertionError while anything is still to be done, and where a job has failed */
export async function expectNoJobs(client: Client): Promise<void> {
  const { byStatus } = (await client.get('/api/admin/jobs/stats')).body.data
  assert.deepEqual([byStatus.waiting, byStatus.delayed, byStatus.active], [0, 0, 0], 'unfinished jobs')
  if (byStatus.failed === 0) return
  assert.deepEqual((await client.get('/api/admin/jobs?status=failed')).body.data, [], 'failed jobs')
}
