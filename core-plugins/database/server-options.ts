import type { Log } from '../../kernel/index.ts'

/** How to reach a database server; see the settings of the same names. */
export interface ServerOptions {
  readonly url: string
  readonly poolSize: number
  readonly transactionPoolSize: number
  readonly maxWaiting: number
  readonly waitTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly queryTimeoutMs: number
  readonly log: Log
}

/** For how long queries fail at once after the server could not be reached, before it is tried again. */
export const breakerPauseMs = 200
