import type { SQL } from 'drizzle-orm'
import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Queries, Transaction } from '../../foundation/database/database.ts'
import type { TimeChange } from './time-changes.ts'

/** The times until which entries stay public, for other plugins. */
export interface UnpublishTimes {
  /**
   * For statements of another plugin: the times of a type's entries. A query with the columns `entry_id` and
   * `unpublish_at`. The name of the type is written into it.
   */
  ofType(type: string): SQL
  /** The times (ISO 8601) by entry id, with one query. */
  find(type: string, ids: readonly number[], on: Queries): Promise<ReadonlyMap<number, string>>
  /**
   * Sets the time of an entry that the transaction has locked. @throws AppError 400 if it has passed, or is not after the
   * publication
   */
  set(tx: Transaction, change: TimeChange & { readonly publishedAt: unknown }): Promise<void>
}

export const unpublishTimesService: ServiceToken<UnpublishTimes> = service('unpublishTimes')
