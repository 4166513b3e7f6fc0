import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { createKeyedMailbox } from '../../../../kernel/index.ts'
import type { Config } from '../../../foundation/config/config.ts'
import type { Database, RowOf, Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { againIfTaken } from '../accounts/taken.ts'
import { loginLockMinutes, loginMaxAttempts, loginWindowMinutes } from '../settings.ts'
import { loginAttemptsTable } from '../tables.ts'

/**
 * Counts failed attempts at guessing something, such as the password of an identifier, and locks it after too
 * many; see docs/auth.md. The counts are in the database: they hold across processes and restarts.
 */
export interface LoginAttempts {
  /**
   * Runs `check` unless the subject is locked; a result of undefined counts as a failure. Attempts on one
   * subject take turns, so that concurrent ones cannot get around the limit.
   * @throws AppError 429 while the subject is locked
   */
  attempt<T>(subject: string, check: () => Promise<T | undefined>): Promise<T | undefined>
  /** @throws AppError 429 while the subject is locked */
  assertUnlocked(subject: string): Promise<void>
  /** Resets the failures. */
  forgive(subject: string): Promise<void>
  /** Deletes expired rows. */
  removeExpired(): Promise<void>
}

/** The key of what is being guessed: an identifier, ignoring case, of one of the two systems. Hashed to a fixed length. */
export function attemptSubject(purpose: string, identifier: string): string {
  const folded = identifier.normalize('NFKC').toLowerCase()
  return `${purpose}:${createHash('sha256').update(folded).digest('hex')}`
}

type AttemptRow = RowOf<typeof loginAttemptsTable>

/** Creates the counter over `svc_login_attempts`. */
export function createLoginAttempts(database: Database, config: Config): LoginAttempts {
  const queries = attemptQueries(database)
  const checks = createKeyedMailbox()

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
      checks.run(subject, async () => {
        const row = await queries.find.get({ subject })
        assertNotLocked(row, config.get(loginMaxAttempts))
        const result = await check()
        if (result === undefined) {
          await againIfTaken(() => database.transaction((tx) => recordFailure(subject, tx)))
        } else if (row !== undefined) {
          await queries.remove.run({ subject })
        }
        return result
      }),
    async assertUnlocked(subject) {
      assertNotLocked(await queries.find.get({ subject }), config.get(loginMaxAttempts))
    },
    async forgive(subject) {
      await queries.remove.run({ subject })
    },
    async removeExpired() {
      const keptMinutes = config.get(loginWindowMinutes) + config.get(loginLockMinutes)
      await queries.removeOld.run({ before: isoTime(Date.now() - keptMinutes * 60_000) })
    },
  }
}

function assertNotLocked(row: AttemptRow | undefined, maxAttempts: number): void {
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

function attemptQueries(database: Database) {
  const attempts = loginAttemptsTable.on(database)
  const { updatedAt } = loginAttemptsTable.columns
  return {
    find: attempts.find(['subject']),
    lock: attempts.find(['subject'], { lock: true }),
    insert: attempts.insert(),
    update: attempts.update(['failures', 'lockedUntil', 'updatedAt'], ['subject']),
    remove: attempts.delete(['subject']),
    removeOld: attempts.delete((value) => sql`${updatedAt} < ${value(updatedAt, 'before')}`),
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
