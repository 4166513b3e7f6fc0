import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from './entry.ts'

/**
 * What changed for readers of an entry of a content or system type:
 * - `create`: a new entry, or one restored from the trash
 * - `update`: its values changed
 * - `delete`: deleted, or moved to the trash
 * - `draft`: only its pending draft changed
 * - `detach`: it lost references to an entry that is being deleted
 */
export type EntryChangeKind = 'create' | 'update' | 'delete' | 'draft' | 'detach'

/** One change of one row. */
export interface EntryChange {
  readonly type: ContentType
  readonly kind: EntryChangeKind
  readonly id: number
  /** The entry before the change; undefined if it did not exist, or if the kind of change does not load it. */
  readonly before?: Entry | undefined
  /** The entry after the change; undefined if it no longer exists, or if the kind of change does not load it. */
  readonly after?: Entry | undefined
  /** For updates: the names of the fields that were written; undefined if any may have changed. */
  readonly fields?: readonly string[] | undefined
}

/**
 * Called within the transaction, after the statement. Must return at once: rows that it writes are written at the end of the
 * transaction (`untilCommit`).
 */
export type EntryChangeListener = (change: EntryChange, tx: Transaction) => void

/**
 * Receives every change of every row of a content or system type, whichever way it was written: unlike write middleware, this
 * includes system types and writes without events. Contribute in `register` or `init`.
 */
export const entryChanges: ExtensionPoint<EntryChangeListener> = extensionPoint('entryChanges')
