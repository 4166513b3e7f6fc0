import type { Transaction } from '../../../../foundation/database/database.ts'
import type { WriteAnnotations } from '../../write-annotation.ts'

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
