import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  insertMany,
  query,
  type Transaction,
} from '../database/database.ts'
import type { EnqueueOptions, JobKind, NewJob } from './jobs.ts'

/** Writes jobs into open transactions. Payloads have been checked. */
export interface Outbox {
  add(tx: Transaction, kind: JobKind<never>, payload: unknown, options: EnqueueOptions): Promise<number>
  /** With the next statement of the transaction. */
  addMany(tx: Transaction, kind: JobKind<never>, jobs: readonly NewJob<unknown>[]): void
}

const defaultMaxAttempts = 5
const maxKeyTries = 10

const columns = {
  name: { column: 'name', kind: 'string' },
  key: { column: 'job_key', kind: 'string' },
  pendingKey: { column: 'pending_key', kind: 'string' },
  mailbox: { column: 'mailbox', kind: 'string' },
  lane: { column: 'lane', kind: 'string' },
  status: { column: 'status', kind: 'string' },
  payload: { column: 'payload', kind: 'json' },
  attempts: { column: 'attempts', kind: 'integer' },
  maxAttempts: { column: 'max_attempts', kind: 'integer' },
  progress: { column: 'progress', kind: 'integer' },
  isCancelRequested: { column: 'is_cancel_requested', kind: 'boolean' },
  runAt: { column: 'run_at', kind: 'datetime' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns

type Written = Record<keyof typeof columns, unknown>

const table = 'svc_jobs'

export function createOutbox(database: Database): Outbox {
  const insert = query(database, (value) => insertInto(table, columns, value))
  const insertKeyed = query(
    database,
    (value) => sql`${insertInto(table, columns, value)} ${database.dialect.ignoreDuplicates('id')}`,
  )
  const insertRows = insertMany<Written>(database, { table, columns })
  const findKeyed = query<{ id: number }>(
    database,
    (value) => sql`select id from svc_jobs where pending_key = ${value('key', 'string')}`,
    { id: { column: 'id', kind: 'id' } },
  )

  /** Looks before it writes: on MySQL a write that meets a duplicate locks it, and many that do so meet in deadlocks. */
  async function addKeyed(tx: Transaction, row: Written): Promise<number> {
    for (let tries = 0; tries < maxKeyTries; tries++) {
      const found = await findKeyed.get({ key: row.pendingKey }, tx)
      if (found !== undefined) return found.id
      // One that holds the key now may end, and give it back, before it is looked for again.
      await insertKeyed.run(row, tx)
    }
    throw new Error(`the job ${row.name} with the key ${row.pendingKey} was not made`)
  }

  return {
    async add(tx, kind, payload, options) {
      const row = rowOf(kind, { payload, ...options }, new Date().toISOString())
      if (row.pendingKey !== null) return addKeyed(tx, row)
      const { insertId } = await insert.run(row, tx)
      return insertId
    },
    addMany(tx, kind, jobs) {
      const now = new Date().toISOString()
      insertRows.soon(
        jobs.map((job) => rowOf(kind, job, now)),
        tx,
      )
    },
  }
}

function rowOf(kind: JobKind<never>, job: NewJob<unknown>, now: string): Written {
  const { payload, key = null, mailbox = null, lane = null, runAt = now } = job
  return {
    name: kind.name,
    key,
    pendingKey: key,
    mailbox,
    lane,
    status: 'waiting',
    payload,
    attempts: 0,
    maxAttempts: job.maxAttempts ?? kind.maxAttempts ?? defaultMaxAttempts,
    progress: 0,
    isCancelRequested: false,
    runAt,
    createdAt: now,
  }
}
