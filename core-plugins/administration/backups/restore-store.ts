import { sql } from 'drizzle-orm'
import {
  type Database,
  isUniqueViolation,
  type Queries,
  type Transaction,
} from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type Refusal, type RestoreRow, restoresTable } from './tables.ts'

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
  /** The newest one of a backup, ended or not. */
  lastOf(backupId: number): Promise<RestoreRow | undefined>
  active(on?: Queries): Promise<RestoreRow | undefined>
  /** Must run in the transaction that restores. */
  commit(id: number, result: unknown, tx: Transaction): Promise<void>
  complete(id: number, result: unknown): Promise<void>
  fail(id: number, refusal: Refusal): Promise<void>
}

export function createRestoreStore(database: Database): RestoreStore {
  const queries = restoreQueries(database)
  const now = () => new Date().toISOString()
  const ended = () => ({ active: null, completedAt: now() })
  return {
    async insert(row, tx) {
      try {
        const values = { ...row, active: 1, status: 'pending', createdAt: now() } as const
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
    lastOf: (backupId) => queries.lastOf.get({ backupId }),
    active: (on) => queries.active.get({}, on),
    async commit(id, result, tx) {
      await queries.commit.run({ id, result, status: 'committed' }, tx)
    },
    async complete(id, result) {
      await queries.end.run({ id, result, status: 'completed', refusal: null, ...ended() })
    },
    async fail(id, refusal) {
      await queries.end.run({ id, result: null, status: 'failed', refusal, ...ended() })
    },
  }
}

export function restoreRunning(): AppError {
  return new AppError('CONFLICT', 'a restore is under way; wait until it has ended')
}

function restoreQueries(database: Database) {
  const restores = restoresTable.on(database)
  const { active, id } = restoresTable.columns
  return {
    insert: restores.insert(),
    setJob: restores.update(['jobId'], ['id']),
    find: restores.find(['id']),
    lock: restores.find(['id'], { lock: true }),
    lastOf: restores.find(['backupId'], { orderBy: sql`${id} desc`, limit: 1 }),
    active: restores.find(() => sql`${active} = 1`),
    commit: restores.update(['status', 'result'], ['id']),
    end: restores.update(['status', 'active', 'result', 'refusal', 'completedAt'], ['id']),
  }
}
