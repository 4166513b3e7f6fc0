import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Log } from '../../../kernel/index.ts'
import { type Database, DatabaseError } from '../../foundation/database/database.ts'
import type { Attempt } from './attempt.ts'
import { usedStatesTable } from './tables.ts'

/** Makes each attempt count only once, across processes. */
export interface UsedStates {
  /** False if the attempt was used before. */
  use(attempt: Attempt): Promise<boolean>
  /** Deletes expired attempts. */
  removeExpired(): Promise<void>
}

/** Makes the store over `svc_social_used_states`. */
export function createUsedStates(database: Database): UsedStates {
  const states = usedStatesTable.on(database)
  const { expiresAt } = usedStatesTable.columns
  const insert = states.insert()
  const removeExpired = states.delete((value) => sql`${expiresAt} < ${value(expiresAt, 'now')}`)
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
    async removeExpired() {
      await removeExpired.run({ now: new Date().toISOString() })
    },
  }
}

const everyMs = 10 * 60_000

/** Removes them periodically, without keeping the process alive; the result stops that. */
export function removeExpiredRegularly(states: UsedStates, log: Log): () => void {
  const timer = setInterval(() => {
    states
      .removeExpired()
      .catch((error) => log.warn({ err: error }, 'old sign-ins could not be deleted; trying again'))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
