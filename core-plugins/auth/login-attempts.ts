import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import {
  type Columns,
  type Database,
  insertInto,
  query,
  selectList,
  setList,
  type Transaction,
} from '../database/database.ts'
import { AppError } from '../http/http.ts'
import { loginLockMinutes, loginMaxAttempts, loginWindowMinutes } from './settings.ts'
import { againIfTaken } from './taken.ts'

/**
 * Counts failed attempts at something that is guessed at, such as the password of an identifier, and locks
 * it after too many; decisions.md, 5. The counts are in the database: they hold over processes and restarts.
 */
export interface LoginAttempts {
  /**
   * Runs `check`, unless the subject is locked; answering undefined counts as a failure. Attempts at one
   * subject take turns, so that many at once are no way around the limit.
   * @throws AppError 429 while the subject is locked
   */
  attempt<T>(subject: string, check: () => Promise<T | undefined>): Promise<T | undefined>
  /** @throws AppError 429 while the subject is locked */
  expectUnlocked(subject: string): Promise<void>
  /** Forgets the failures. */
  forgive(subject: string): Promise<void>
  /** Deletes rows that no longer matter. */
  sweep(): Promise<void>
}

/** What is guessed at: the same identifier in any case, of one of the two systems. Its hash has a fixed length. */
export function attemptSubject(purpose: string, identifier: string): string {
  const folded = identifier.normalize('NFKC').toLowerCase()
  return `${purpose}:${createHash('sha256').update(folded).digest('hex')}`
}

interface AttemptRow {
  readonly subject: string
  readonly failures: readonly number[]
  readonly lockedUntil: string | null
}

const columns = {
  subject: { column: 'subject', kind: 'string' },
  failures: { column: 'failures', kind: 'json' },
  lockedUntil: { column: 'locked_until', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
} as const satisfies Columns

/** Makes the counter over `svc_login_attempts`. */
export function createLoginAttempts(database: Database, config: Config): LoginAttempts {
  const queries = attemptQueries(database)
  const inTurn = createTurns()

  async function recordFailure(subject: string, tx: Transaction): Promise<void> {
    const nowMs = Date.now()
    const row = await queries.lock.get({ subject }, tx)
    const sinceMs = nowMs - config.get(loginWindowMinutes) * 60_000
    const failures = [...(row?.failures ?? []).filter((atMs) => atMs > sinceMs), nowMs]
    const isLocked = failures.length >= config.get(loginMaxAttempts)
    const values = {
      subject,
      failures: isLocked ? [] : failures,
      lockedUntil: isLocked ? isoTime(nowMs + config.get(loginLockMinutes) * 60_000) : null,
      updatedAt: isoTime(nowMs),
    }
    await (row === undefined ? queries.insert : queries.update).run(values, tx)
  }

  return {
    attempt: (subject, check) =>
      inTurn(subject, async () => {
        const row = await queries.find.get({ subject })
        refuseWhileLocked(row, config.get(loginMaxAttempts))
        const result = await check()
        if (result === undefined) {
          await againIfTaken(() => database.transaction((tx) => recordFailure(subject, tx)))
        } else if (row !== undefined) {
          await queries.remove.run({ subject })
        }
        return result
      }),
    async expectUnlocked(subject) {
      refuseWhileLocked(await queries.find.get({ subject }), config.get(loginMaxAttempts))
    },
    async forgive(subject) {
      await queries.remove.run({ subject })
    },
    async sweep() {
      const keptMinutes = config.get(loginWindowMinutes) + config.get(loginLockMinutes)
      await queries.removeOld.run({ before: isoTime(Date.now() - keptMinutes * 60_000) })
    },
  }
}

function refuseWhileLocked(row: AttemptRow | undefined, maxAttempts: number): void {
  const remainingMs = row?.lockedUntil ? Date.parse(row.lockedUntil) - Date.now() : 0
  if (remainingMs <= 0) return
  const seconds = String(Math.ceil(remainingMs / 1000))
  throw new AppError('RATE_LIMITED', `too many failed attempts; try again in ${seconds} seconds`, {
    headers: {
      'retry-after': seconds,
      'ratelimit-limit': String(maxAttempts),
      'ratelimit-remaining': '0',
      'ratelimit-reset': seconds,
    },
  })
}

/** Runs the tasks of one key one after the other. */
function createTurns() {
  const tails = new Map<string, Promise<unknown>>()
  return async function inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
    const turn = (tails.get(key) ?? Promise.resolve()).then(task)
    const tail = turn.catch(() => undefined)
    tails.set(key, tail)
    try {
      return await turn
    } finally {
      if (tails.get(key) === tail) tails.delete(key)
    }
  }
}

function attemptQueries(database: Database) {
  const table = sql`svc_login_attempts`
  const select = sql`select ${selectList(database, columns)} from ${table}`
  return {
    find: query<AttemptRow>(
      database,
      (value) => sql`${select} where subject = ${value('subject', 'string')}`,
      columns,
    ),
    lock: query<AttemptRow>(
      database,
      (value) => sql`${select} where subject = ${value('subject', 'string')} ${database.dialect.forUpdate}`,
      columns,
    ),
    insert: query(database, (value) => insertInto('svc_login_attempts', columns, value)),
    update: query(
      database,
      (value) =>
        sql`update ${table} set ${setList(columns, value)} where subject = ${value('subject', 'string')}`,
    ),
    remove: query(
      database,
      (value) => sql`delete from ${table} where subject = ${value('subject', 'string')}`,
    ),
    removeOld: query(
      database,
      (value) => sql`delete from ${table} where updated_at < ${value('before', 'datetime')}`,
    ),
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
