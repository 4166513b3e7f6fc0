import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Log } from '../../kernel/index.ts'
import { type Columns, type Database, DatabaseError, insertInto, query } from '../database/database.ts'
import type { Attempt } from './attempt.ts'
import { usedStatesTable } from './tables.ts'

/** Makes each attempt count once, whichever process gets its answer. */
export interface UsedStates {
  /** False if the attempt was answered before. */
  use(attempt: Attempt): Promise<boolean>
  /** Deletes those that have expired. */
  sweep(): Promise<void>
}

const columns = {
  stateHash: { column: 'state_hash', kind: 'string' },
  expiresAt: { column: 'expires_at', kind: 'datetime' },
} as const satisfies Columns

/** Makes the store over `svc_social_used_states`. */
export function createUsedStates(database: Database): UsedStates {
  const table = sql.identifier(usedStatesTable.name)
  const insert = query(database, (value) => insertInto(usedStatesTable.name, columns, value))
  const removeExpired = query(
    database,
    (value) => sql`delete from ${table} where expires_at < ${value('now', 'datetime')}`,
  )
  return {
    async use({ state, expiresAtMs }) {
      const stateHash = createHash('sha256').update(state).digest('hex')
      try {
        await insert.run({ stateHash, expiresAt: new Date(expiresAtMs).toISOString() })
        return true
      } catch (error) {
        if (error instanceof DatabaseError && error.kind === 'unique') return false
        throw error
      }
    },
    async sweep() {
      await removeExpired.run({ now: new Date().toISOString() })
    },
  }
}

const everyMs = 10 * 60_000

/** Sweeps now and then, while nothing keeps the process alive for it; the answer ends that. */
export function sweepRegularly(states: UsedStates, log: Log): () => void {
  const timer = setInterval(() => {
    states
      .sweep()
      .catch((error) => log.warn({ err: error }, 'old sign-ins could not be deleted; trying again'))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
