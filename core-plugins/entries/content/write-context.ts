import type { Transaction } from '../../foundation/database/database.ts'
import type { ErrorDetail, Principal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { WriteOperation } from './content-target.ts'
import type { PendingDraft } from './drafts/pending-drafts.ts'
import type { Entry } from './entry/entry.ts'
import type { ContentEvent } from './entry/entry-events.ts'
import type { WriteAnnotations } from './write-annotation.ts'

/**
 * One write on its way through the middleware, all of it in one transaction. Discriminated by `operation`.
 */
export type WriteContext = CreateContext | ChangeContext | DeleteContext

export interface CreateContext extends WriteOf<'create'> {
  readonly before: undefined
  readonly stored: undefined
  readonly isDraftWrite: false
}

/** A write to an existing entry that does not delete it. */
export interface ChangeContext extends WriteOf<Exclude<WriteOperation, 'create' | 'delete'>> {
  /** The entry before the write, with all drafts visible; if the write concerns the pending draft, with the draft applied. */
  readonly before: Entry
  readonly stored: StoredEntry
  /** Only the draft is written; the entry itself stays unchanged. */
  readonly isDraftWrite: boolean
}

export interface DeleteContext extends WriteOf<'delete'> {
  readonly before: Entry
  readonly stored: StoredEntry
  readonly isDraftWrite: false
  readonly removal: Removal
}

interface WriteOf<Operation extends WriteOperation> {
  readonly type: ContentType
  readonly operation: Operation
  readonly principal: Principal
  /** The client's address; undefined for writes that the service makes itself. */
  readonly ip: string | undefined
  /**
   * Throwing rolls everything back; jobs and rows written here are committed with the entry or not at all.
   */
  readonly tx: Transaction
  /** The time of the write, ISO 8601; the same in every column that records it. */
  readonly now: string
  /** Information from the caller of the write for its stages. */
  readonly annotations: WriteAnnotations
  /** The payload, not yet checked; middleware may replace or change it before calling `next`. */
  data: Readonly<Record<string, unknown>>
  /** What stages add to the write. */
  readonly additions: WriteAdditions
  /** The result of the write; set once `next` has returned. */
  readonly outcome: WriteOutcome
}

/** An entry as it was before the write, locked. */
export interface StoredEntry {
  /** The row without the draft applied. */
  readonly row: Entry
  /** The pending draft of the entry. */
  readonly draft: PendingDraft | undefined
}

export interface Removal {
  /** The entry is deleted permanently, because its type has no trash or the caller demands it. */
  readonly isForGood: boolean
  /** The entry is in the trash and is deleted from there. */
  readonly isInTrash: boolean
}

/** For stages to set before they call `next`. */
export interface WriteAdditions {
  /** Values of columns that plugins have added, by column; written with the entry. */
  columns: Readonly<Record<string, unknown>>
  /**
   * Stored values by field, unchecked. For a new entry, used for fields that the payload leaves out; for a restored entry, its
   * new values.
   */
  inherited: Readonly<Record<string, unknown>>
  /** For a delete: the entry of the same type that references to the deleted one are redirected to. */
  heir?: number | undefined
  /** For a single type: false if the stage itself ensures that there is only one entry. */
  isSingleClaimed: boolean
  /** Problems with the payload, reported together with all others. */
  readonly problems: ErrorDetail[]
}

export interface WriteOutcome {
  /** Undefined if nothing changed. */
  event: ContentEvent | undefined
  /** The draft that is pending after the write. */
  draft: PendingDraft | undefined
}

/** Whether a write deletes its entry permanently. */
export function isForGood(context: WriteContext): boolean {
  return context.operation === 'delete' && context.removal.isForGood
}
