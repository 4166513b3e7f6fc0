import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  isUniqueViolation,
  type Queries,
  query,
  selectList,
  type Transaction,
} from '../database/database.ts'
import { AppError, type ErrorCode, type ErrorDetail, type Principal } from '../http/http.ts'
import type { Sections } from './backups.ts'

/** Why a restore was refused, as the client is to be told. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: readonly ErrorDetail[] | undefined
}

/** `committed`: the database is restored, and what follows from that is under way. */
export type RestoreStatus = 'pending' | 'committed' | 'completed' | 'failed'

/** A row of `svc_backup_restores`. */
export interface RestoreRow {
  readonly id: number
  readonly backupId: number
  readonly sections: Sections
  /** 1 until it has ended. */
  readonly active: number | null
  readonly status: RestoreStatus
  readonly requestedBy: Requester
  readonly ip: string | null
  readonly result: unknown
  readonly refusal: Refusal | null
  readonly jobId: number | null
  readonly createdAt: string
  readonly completedAt: string | null
}

/** A principal in a form that a table can keep. */
export type Requester = Exclude<Principal, { kind: 'token' }> | { kind: 'token'; id: number; name: string }

export function requesterOf(principal: Principal): Requester {
  return principal.kind === 'token' ? { kind: 'token', id: principal.id, name: principal.name } : principal
}

/** Who it was; a token's scopes are not kept. */
export function principalOf(requester: Requester): Principal {
  return requester.kind === 'token' ? { ...requester, scopes: new Set() } : requester
}

export interface RestoreStore {
  /** @throws AppError 409 while another one is active */
  insert(
    row: Pick<RestoreRow, 'backupId' | 'sections' | 'requestedBy' | 'ip'>,
    tx: Transaction,
  ): Promise<number>
  setJob(id: number, jobId: number, tx: Transaction): Promise<void>
  find(id: number, on?: Queries): Promise<RestoreRow | undefined>
  /** Locked until the end of the transaction. */
  lock(id: number, tx: Transaction): Promise<RestoreRow | undefined>
  active(on?: Queries): Promise<RestoreRow | undefined>
  /** In the transaction that restores. */
  commit(id: number, result: unknown, tx: Transaction): Promise<void>
  complete(id: number, result: unknown): Promise<void>
  fail(id: number, refusal: Refusal): Promise<void>
}

const columns = {
  id: { column: 'id', kind: 'id' },
  backupId: { column: 'backup_id', kind: 'integer' },
  sections: { column: 'sections', kind: 'json' },
  active: { column: 'active', kind: 'integer' },
  status: { column: 'status', kind: 'string' },
  requestedBy: { column: 'requested_by', kind: 'json' },
  ip: { column: 'ip', kind: 'string' },
  result: { column: 'result', kind: 'json' },
  refusal: { column: 'refusal', kind: 'json' },
  jobId: { column: 'job_id', kind: 'integer' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  completedAt: { column: 'completed_at', kind: 'datetime' },
} as const satisfies Columns

export function createRestoreStore(database: Database): RestoreStore {
  const queries = restoreQueries(database)
  const now = () => new Date().toISOString()
  return {
    async insert(row, tx) {
      try {
        const values = { ...row, active: 1, status: 'pending', createdAt: now() }
        return (await queries.insert.run(values, tx)).insertId
      } catch (error) {
        if (isUniqueViolation(error)) throw restoreRunning()
        throw error
      }
    },
    async setJob(id, jobId, tx) {
      await queries.setJob.run({ id, jobId }, tx)
    },
    find: (id, on) => queries.find.get({ id }, on),
    lock: (id, tx) => queries.lock.get({ id }, tx),
    active: (on) => queries.active.get({}, on),
    async commit(id, result, tx) {
      await queries.commit.run({ id, result }, tx)
    },
    async complete(id, result) {
      await queries.end.run({ id, result, status: 'completed', refusal: null, now: now() })
    },
    async fail(id, refusal) {
      await queries.end.run({ id, result: null, status: 'failed', refusal, now: now() })
    },
  }
}

export function restoreRunning(): AppError {
  return new AppError('CONFLICT', 'a restore is under way; wait until it has ended')
}

function restoreQueries(database: Database) {
  const table = sql`svc_backup_restores`
  const select = sql`select ${selectList(database, columns)} from ${table}`
  return {
    insert: query(database, (value) => insertInto('svc_backup_restores', columns, value)),
    setJob: query(
      database,
      (value) =>
        sql`update ${table} set job_id = ${value('jobId', 'integer')} where id = ${value('id', 'id')}`,
    ),
    find: query<RestoreRow>(database, (value) => sql`${select} where id = ${value('id', 'id')}`, columns),
    lock: query<RestoreRow>(
      database,
      (value) => sql`${select} where id = ${value('id', 'id')} ${database.dialect.forUpdate}`,
      columns,
    ),
    active: query<RestoreRow>(database, () => sql`${select} where active = 1`, columns),
    commit: query(
      database,
      (value) => sql`update ${table} set status = 'committed', result = ${value('result', 'json')}
        where id = ${value('id', 'id')}`,
    ),
    end: query(
      database,
      (value) => sql`update ${table} set status = ${value('status', 'string')}, active = null,
        result = ${value('result', 'json')}, refusal = ${value('refusal', 'json')},
        completed_at = ${value('now', 'datetime')} where id = ${value('id', 'id')}`,
    ),
  }
}
