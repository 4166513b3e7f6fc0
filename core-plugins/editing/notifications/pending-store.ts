import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { type PendingRow, pendingTable } from './tables.ts'

export type NewPending = Omit<PendingRow, 'id'>

/**
 * The rows of `svc_pending_notifications`. Callers that add rows must have locked the user's preferences, so the rows of a user
 * are committed in the order of their ids.
 */
export interface PendingStore {
  add(pending: readonly NewPending[], tx: Transaction): void
  /** The newest first, as many as fit into a mail. */
  of(userId: number): Promise<readonly PendingRow[]>
  /** Removes the user's rows up to an id. Returns false if there were none. */
  removeUntil(userId: number, id: number, tx: Transaction): Promise<boolean>
}

const lookedAt = 200

export function createPendingStore(database: Database): PendingStore {
  const pending = pendingTable.on(database)
  const { id, userId } = pendingTable.columns
  const insert = pending.insertMany()
  const find = pending.find(['userId'], { orderBy: sql`${id} desc`, limit: lookedAt })
  const remove = pending.delete((value) => sql`${userId} = ${value(userId)} and ${id} <= ${value(id)}`)
  return {
    add: (rows, tx) => insert.soon(rows, tx),
    of: (user) => find.all({ userId: user }),
    removeUntil: async (user, until, tx) => (await remove.run({ userId: user, id: until }, tx)).changes > 0,
  }
}
