import type { Log } from '../../kernel/index.ts'
import type { CostlyReadLimits } from './costly-reads.ts'
import type { DatabaseError } from './database.ts'

/** How to reach a database server; see the settings of the same names. */
export interface ServerOptions extends CostlyReadLimits {
  readonly url: string
  readonly poolSize: number
  readonly transactionPoolSize: number
  readonly maxWaiting: number
  readonly waitTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly queryTimeoutMs: number
  /** Told of each transaction that failed for want of room. */
  readonly onFull: (error: DatabaseError) => void
  readonly log: Log
}

/** How long connecting may take for somebody who waits for it. */
export function connectPatienceMs({ connectTimeoutMs, waitTimeoutMs }: ServerOptions): number {
  return Math.min(connectTimeoutMs, waitTimeoutMs)
}

/** For how long queries fail at once after the server could not be reached, before it is tried again. */
export const breakerPauseMs = 200

/** A server ends a costly read by itself, be this process gone or frozen, a moment after it should have been told to. */
export function costlyQueryTimeoutMs({ readTimeoutMs }: CostlyReadLimits): number {
  return readTimeoutMs + 1_000
}
