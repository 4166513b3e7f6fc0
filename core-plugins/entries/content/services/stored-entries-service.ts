import { type Awaitable, type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Queries, Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { PendingDraft } from '../drafts/pending-drafts.ts'
import type { Entry } from '../entry/entry.ts'
import type { WriteRequest } from '../write-request.ts'
import type { SystemEntries } from './system-entries.ts'

/** Returns the changed fields of an entry as they are stored; fields left out stay as they are. */
export type StoredChange = (entry: Entry) => Readonly<Record<string, unknown>>

/** Entries as they are stored, for plugins that keep data about them. Ignores permissions and visibility. */
export interface StoredEntries {
  /**
   * Those of the entries that exist, as they are stored: with all fields, drafts and ids of hidden entries.
   * Locked until the end of the transaction.
   */
  lock(
    request: WriteRequest & { readonly tx: Transaction },
    ids: readonly number[],
  ): Promise<readonly Entry[]>
  /** The same without locks, for plugins that compare or copy entries. */
  read(type: string, ids: readonly number[], on: Queries): Promise<readonly Entry[]>
  /**
   * Changes the fields that `change` returns, in stored form and without checking them: removes references to
   * deleted entries, for example, even from required fields. Runs the middleware and event of an update. Does
   * nothing if there is no such entry or no field is returned. If the entry has a pending draft, `change` is
   * also called with the draft applied, and its result for fields of the draft is changed there.
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
   * Refuses a change of a plugin that would take something from a public entry that it has to have.
   * @throws AppError 400 with all of it
   */
  assertStaysComplete(type: string, entry: Entry, change: Readonly<Record<string, unknown>>): void
  /**
   * Makes values that were stored apart from entries as the schema says by now, in place, as far as they have a form of it; reads do
   * the same. In components, attributes declared since are added, and what is not declared any more is left out.
   */
  fitToSchema(type: string, values: Record<string, unknown>): void
  /**
   * What a caller would read if entries were what they have been: earlier states without the fields that entries
   * do not have any more, without ids of entries hidden from the caller, and after the read middleware. Whether
   * the caller may read the entries is for the asking plugin to check.
   */
  shownTo(principal: Principal, type: string, states: readonly Entry[]): Promise<readonly Entry[]>
  /**
   * Entries of a system type, for the plugin that declares it.
   * @param ownFields fields that only that plugin writes; payloads may contain them, but they are ignored
   * @throws Error if there is no such system type
   */
  systemEntries(type: string, ownFields: readonly string[]): SystemEntries
}

/** Entries as they are stored, whatever anybody may see: for plugins that keep something beside them. */
export const storedEntriesService: ServiceToken<StoredEntries> = service('storedEntries')
