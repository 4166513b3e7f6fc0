import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from './entry.ts'

/**
 * What readers may now see of one entry, of a content type or a system type:
 *
 * - `create`: there is a new entry, or one came back from the trash
 * - `update`: its values are others
 * - `delete`: it is gone, or in the trash
 * - `draft`: only its pending draft is another one
 * - `detach`: it has lost references to an entry that is being deleted
 */
export type EntryChangeKind = 'create' | 'update' | 'delete' | 'draft' | 'detach'

/** One change of one row. */
export interface EntryChange {
  readonly type: ContentType
  readonly kind: EntryChangeKind
  readonly id: number
  /** The entry before the change; undefined if there was none, or for kinds that do not know it. */
  readonly before?: Entry | undefined
  /** The entry after it; undefined if there is none any more, or for kinds that do not know it. */
  readonly after?: Entry | undefined
  /** Of an update: the names of the fields that were written; undefined: any. */
  readonly fields?: readonly string[] | undefined
}

/** Told within the transaction, after the statement. Returns at once: rows are written at its end (`untilCommit`). */
export type EntryChangeListener = (change: EntryChange, tx: Transaction) => void

/**
 * Every change of every row that content or a system type stores, whatever the way in: unlike write middleware it
 * covers system types, and what is written without events. Contribute in `register` or `init`.
 */
export const entryChanges: ExtensionPoint<EntryChangeListener> = extensionPoint('entryChanges')
