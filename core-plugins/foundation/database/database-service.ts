import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Notifications } from './connections/notifications.ts'
import type { SnapshotSource } from './snapshot.ts'
import type { QueryTarget } from './statements/query-target.ts'
import type { Transaction, TransactionKind } from './statements/transaction.ts'

/** The connections for one purpose. */
export interface ConnectionLoad {
  readonly use: 'queries' | 'costly reads' | 'transactions' | 'writes'
  /** The maximum number of connections. */
  readonly size: number
  readonly open: number
  readonly busy: number
  /** Queries or transactions waiting for a connection. */
  readonly waiting: number
  /** How long the oldest of them has been waiting, in milliseconds; 0 if none waits. */
  readonly longestWaitMs: number
}

/** A limit of the database server that hinders this service, or soon will, described for its operator. */
export interface TightLimit {
  readonly message: string
  readonly remedy: string
}

/** The connection to the service's one database. */
export interface Database extends QueryTarget {
  /** For `openSnapshot`. */
  readonly snapshotSource: SnapshotSource
  /**
   * Runs `work` in a transaction and returns its result after the commit. After a deadlock or a serialization failure
   * it is run again, up to three times, so it must have no effects outside the transaction. A failed query fails the
   * whole transaction, even if its error is caught. Use only `tx` inside `work`: on SQLite, any other write would
   * wait for the transaction to end.
   * @throws DatabaseError, or any error that `work` throws, after the rollback
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T>
  /**
   * Resolves if the database responds.
   * @throws DatabaseError of kind `unavailable`
   */
  ping(): Promise<void>
  /** How busy the connections of this process are. */
  load(): readonly ConnectionLoad[]
  /** The number of the service's tables. */
  tableCount(): Promise<number>
  /**
   * Server limits that hinder the service although it starts, with remedies; undefined for a database that has none.
   */
  readonly tightLimits?: () => Promise<readonly TightLimit[]>
  /**
   * Undefined if the database has no notifications, which only PostgreSQL has, or if a pooler does not pass them on.
   */
  readonly notifications?: Notifications | undefined
}

/** Queries and transactions on the database of the service. */
export const databaseService: ServiceToken<Database> = service('database')
