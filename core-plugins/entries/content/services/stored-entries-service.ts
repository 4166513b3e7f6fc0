import { type Awaitable, type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Queries, Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { PendingDraft } from '../drafts/pending-drafts.ts'
import type { Entry } from '../entry/entry.ts'
import type { WriteRequest } from '../write-request.ts'
import type { SystemEntries } from './system-entries.ts'

/** Returns the changed fields of an entry in stored form; fields left out stay unchanged. */
export type StoredChange = (entry: Entry) => Readonly<Record<string, unknown>>

/** Entries as they are stored, for plugins that keep data about them. Ignores permissions and visibility. */
export interface StoredEntries {
  /**
   * The existing entries among the ids, as stored: with all fields, drafts and ids of hidden entries. Locked until the end of the
   * transaction.
   */
  lock(
    request: WriteRequest & { readonly tx: Transaction },
    ids: readonly number[],
  ): Promise<readonly Entry[]>
  /** The same without locks, for plugins that compare or copy entries. */
  read(type: string, ids: readonly number[], on: Queries): Promise<readonly Entry[]>
  /**
   * Changes the fields that `change` returns, in stored form and unchecked: for example, to remove references to deleted entries
   * even from required fields. Runs the middleware and event of an update. Does nothing if the entry does not exist or no field
   * is returned. If the entry has a pending draft, `change` is also called with the draft applied, and its result for fields of
   * the draft is changed there.
   */
  repair(request: WriteRequest & { readonly id: number }, change: StoredChange): Promise<void>
  /**
   * `repair` for many entries with few statements; their middleware runs concurrently, as with `publishMany`.
   * Pending drafts stay unchanged.
   */
  repairMany(request: WriteRequest, ids: readonly number[], change: StoredChange): Promise<void>
  /** The pending drafts by entry id; for plugins that need to know everything that is stored. */
  drafts(type: string, ids: readonly number[], on: Queries): Awaitable<ReadonlyMap<number, PendingDraft>>
  /**
   * Refuses a plugin's change that would remove values that a published entry must have.
   * @throws AppError 400 with all of them
   */
  assertStaysComplete(type: string, entry: Entry, change: Readonly<Record<string, unknown>>): void
  /**
   * Converts values that were stored apart from entries to the current schema, in place and as far as they fit, as reads do. In
   * components, attributes declared since are added, and attributes no longer declared are removed.
   */
  fitToSchema(type: string, values: Record<string, unknown>): void
  /**
   * Earlier states of entries as the caller would read them: without fields that entries no longer have, without ids of entries
   * hidden from the caller, and after the read middleware. The calling plugin must check itself whether the caller may read the
   * entries.
   */
  shownTo(principal: Principal, type: string, states: readonly Entry[]): Promise<readonly Entry[]>
  /**
   * Access to the entries of a system type, for the plugin that declares it.
   * @param ownFields fields that only that plugin writes; payloads may contain them, but they are ignored
   * @throws Error if there is no such system type
   */
  systemEntries(type: string, ownFields: readonly string[]): SystemEntries
}

/** Entries as they are stored, regardless of permissions: for plugins that keep data about them. */
export const storedEntriesService: ServiceToken<StoredEntries> = service('storedEntries')
