import type { Database, NewRowOf, Transaction } from '../../foundation/database/database.ts'
import type { EnqueueOptions, JobKind, NewJob } from './jobs.ts'
import { jobsTable } from './tables.ts'

/** Writes jobs into open transactions. Payloads are already checked. */
export interface Outbox {
  add(tx: Transaction, kind: JobKind<never>, payload: unknown, options: EnqueueOptions): Promise<number>
  /** Adds the jobs with the next statement of the transaction. */
  addMany(tx: Transaction, kind: JobKind<never>, jobs: readonly NewJob<unknown>[]): void
}

const defaultMaxAttempts = 5
const maxKeyTries = 10

const columns = [
  ...(['name', 'key', 'pendingKey', 'mailbox', 'lane', 'status', 'payload', 'attempts'] as const),
  ...(['maxAttempts', 'progress', 'isCancelRequested', 'runAt', 'createdAt'] as const),
] as const

type NewJobRow = Pick<NewRowOf<typeof jobsTable>, (typeof columns)[number]>

export function createOutbox(database: Database): Outbox {
  const jobs = jobsTable.on(database)
  const insert = jobs.insert({ columns })
  const insertKeyed = jobs.insert({ columns, ignoreDuplicates: true })
  const insertRows = jobs.insertMany({ columns })
  const findKeyed = jobs.find(['pendingKey'], { pick: ['id'] })

  /** Reads before it writes: on MySQL, an insert that hits a duplicate locks it, and concurrent inserts deadlock. */
  async function addKeyed(tx: Transaction, row: NewJobRow & { pendingKey: string }): Promise<number> {
    for (let tries = 0; tries < maxKeyTries; tries++) {
      const found = await findKeyed.get({ pendingKey: row.pendingKey }, tx)
      if (found !== undefined) return found.id
      // The job that holds the key may finish and release it before it is looked up again.
      await insertKeyed.run(row, tx)
    }
    throw new Error(`the job ${row.name} with the key ${row.pendingKey} was not made`)
  }

  return {
    async add(tx, kind, payload, options) {
      const row = rowOf(kind, { payload, ...options }, new Date().toISOString())
      if (options.key != null) return addKeyed(tx, { ...row, pendingKey: options.key })
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

function rowOf(kind: JobKind<never>, job: NewJob<unknown>, now: string): NewJobRow {
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
