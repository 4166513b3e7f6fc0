import type { WaitingRows } from '../schema/waiting-rows.ts'
import type { Queries } from './query-target.ts'

/** Open until the callback of `transaction` ends. */
export interface Transaction extends Queries {
  /**
   * Runs in the transaction when all of its work is done; several run one after the other, in the order added. For
   * follow-up work on many items that were processed one by one. An error rolls everything back.
   */
  beforeCommit(action: () => unknown): void
  /**
   * Runs after those, concurrently with others: for rows that record what was done and that no other action reads or
   * writes. An error rolls everything back.
   */
  withCommit(action: () => unknown): void
  /** See `InsertMany.soon`. */
  insertSoon(rows: WaitingRows): void
  /** Inserts those rows now, so that an error can be attributed to what has been written so far. */
  flush(): Promise<void>
  /** Runs after the commit, never after a rollback, in the order added. Errors are logged. */
  afterCommit(action: () => unknown): void
}

/**
 * What a commit survives. `full`: a power cut. `relaxed`: the death of the process, but a crash of the machine may
 * undo the latest commits, in order; saves waiting for the disk, for work that can simply be repeated. MySQL does not
 * distinguish and is always `full`.
 */
export type Durability = 'full' | 'relaxed'

/** What a transaction requires from the database. */
export interface TransactionKind {
  /** Default: `full`. */
  readonly durability?: Durability
  /**
   * Runs a few queries and waits for nothing else. On SQLite, such transactions that arrive at the same time
   * share a commit; if one is rolled back, the others may have to run again.
   */
  readonly isBrief?: boolean
  /**
   * Work that must not delay requests, done in portions (see `createPace`). On SQLite, a thread runs its statements,
   * so that the event loop stays free.
   */
  readonly isBackground?: boolean
}
