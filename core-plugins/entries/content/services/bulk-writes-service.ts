import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import type { WriteAnnotations } from '../write-annotation.ts'
import type { WriteRequest } from '../write-request.ts'
import type { Guarded } from './guarded.ts'

/**
 * Writes many entries of a type in one transaction: all of them or none. The middleware of up to fifty
 * entries runs concurrently and their statements are combined, so no stage may wait for that of another
 * entry.
 * @throws AppError as the REST API reports it
 */
export interface BulkWrites {
  /** Returns their ids. */
  updateMany(request: WriteRequest, ids: readonly number[], data: unknown): Promise<readonly number[]>
  /** One after the other, because a delete may change or delete other entries; returns their ids. */
  deleteMany(request: WriteRequest, ids: readonly number[]): Promise<readonly number[]>
  /** Publishes now. Error details name entries as `article:7`. */
  publishMany(request: WriteRequest, ids: readonly number[]): Promise<void>
  /** Like `publishMany`. */
  unpublishMany(request: WriteRequest, ids: readonly number[]): Promise<void>
  /**
   * Creates entries, and with `match` changes those that are there already, as it does with the entry of a single
   * type. What is stored as it is sent stays untouched: no event, no revision. Error details name payloads by their
   * place: `3.title`.
   * @throws RowsRefused with the problems of all payloads, as far as they can be told at once
   */
  saveMany(
    request: WriteRequest,
    entries: readonly EntryToSave[],
    options?: SaveOptions,
  ): Promise<readonly SavedEntry[]>
}

/** One payload of `saveMany`. */
export interface EntryToSave {
  readonly data: unknown
  /** The UUID of a new entry; others keep theirs. Undefined: one is made. Callers decide who may choose it. */
  readonly uuid?: string | undefined
  /**
   * Published now, or at a time (ISO 8601 in UTC, with milliseconds); null: not published. Undefined: new entries are drafts, and
   * others stay as they are.
   */
  readonly published?: true | string | null | undefined
  /**
   * What the payload is about where a draft is pending beside the entry. `live`: the entry as it is public; the draft stays, and
   * only the payload is published. `latest`: the entry with its draft, which a publication makes public as a whole.
   * Default: `live` for what is published; else what is the same in one of them is left alone, and the rest goes into the draft.
   */
  readonly comparedWith?: 'live' | 'latest' | undefined
  /** The entry that is changed, where the caller knows it already. */
  readonly id?: number | undefined
  /** When a new entry was created; ISO 8601 in UTC, with milliseconds, like the next. Default: now. */
  readonly createdAt?: string | undefined
  /** When it was last changed, if that is later than what is stored; the time of an entry only moves forward. Default: now. */
  readonly updatedAt?: string | undefined
  /** What the stages of this write are told, instead of those of the request. */
  readonly annotations?: WriteAnnotations | undefined
}

export interface SaveOptions {
  /**
   * A unique attribute, or `uuid`: an entry with the same value (and locale, unless it is the UUID) is changed instead of
   * creating one.
   */
  readonly match?: string | undefined
  /** Everything is written, and undone at the end: for what can be refused, and what would become of the entries. */
  readonly isTrial?: boolean
  /** Called with everything that was saved, before the commit. */
  alongside?(tx: Transaction, saved: readonly SavedEntry[]): unknown
}

/** What became of a payload. */
export interface SavedEntry {
  readonly id: number
  readonly outcome: 'created' | 'updated' | 'unchanged'
}

/** Writes many entries together, each with a result of its own. */
export const bulkWritesService: ServiceToken<Guarded<BulkWrites>> = service('bulkWrites')
