import type { Log } from '../../../../kernel/index.ts'
import type { DatabaseError } from '../database-error.ts'
import type { CostlyReadLimits } from '../statements/costly-reads.ts'

/** How to reach a database server; see the settings of the same names. */
export interface ServerOptions extends CostlyReadLimits {
  readonly url: string
  /** The URL of the same database without the pooler in `url`. */
  readonly directUrl?: string | undefined
  readonly poolSize: number
  readonly transactionPoolSize: number
  readonly maxWaiting: number
  readonly waitTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly queryTimeoutMs: number
  /** How many processes share the limits of the server; 1 by default. */
  readonly processes?: number
  /** Called for each transaction that failed due to lack of space. */
  readonly onFull: (error: DatabaseError) => void
  readonly log: Log
}

/** How long connecting may take for a caller that waits for it. */
export function connectPatienceMs({ connectTimeoutMs, waitTimeoutMs }: ServerOptions): number {
  return Math.min(connectTimeoutMs, waitTimeoutMs)
}

/** How long queries fail at once after the server was unreachable, before the next attempt; in milliseconds. */
export const breakerPauseMs = 200

/**
 * The server itself ends a costly read a moment after this process should have cancelled it, in case the process is
 * gone or frozen.
 */
export function costlyQueryTimeoutMs({ readTimeoutMs }: CostlyReadLimits): number {
  return readTimeoutMs + 1_000
}
