import type { DialectName } from './dialect-name.ts'
import type { QueryTarget } from './statements/query-target.ts'

/**
 * The database as it was at one moment, unaffected by later writes. Read-only. Its queries have no time
 * limit.
 */
export interface Snapshot extends QueryTarget {
  close(): Promise<void>
}

/** What `openSnapshot` needs, in a form that can be sent to another thread. It may contain a password. */
export interface SnapshotSource {
  readonly dialect: DialectName
  readonly target: string
  readonly connectTimeoutMs: number
}
