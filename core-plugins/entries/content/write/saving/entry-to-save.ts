import type { Transaction } from '../../../../foundation/database/database.ts'
import type { WriteAnnotations } from '../../write-annotation.ts'

/** One payload of `saveMany`. */
export interface EntryToSave {
  readonly data: unknown
  /**
   * The UUID of a new entry; existing entries keep theirs. Undefined: one is generated. Callers of the service decide which
   * clients may choose it.
   */
  readonly uuid?: string | undefined
  /**
   * `true`: published now; a time (ISO 8601 in UTC, with milliseconds): published then; null: not published. Undefined: new
   * entries are drafts, existing ones keep their state.
   */
  readonly published?: true | string | null | undefined
  /**
   * What the payload is compared with if the entry has a pending draft. `live`: the entry without the draft; the draft stays, and
   * only the payload is published. `latest`: the entry with its draft, which a publication makes public as a whole. Default:
   * `live` if the entry is published; otherwise values that equal one of the two are left alone and the rest goes into the draft.
   */
  readonly comparedWith?: 'live' | 'latest' | undefined
  /** The id of the entry to change, if the caller already knows it. */
  readonly id?: number | undefined
  /** When a new entry was created; ISO 8601 in UTC, with milliseconds, like `updatedAt`. Default: now. */
  readonly createdAt?: string | undefined
  /** When it was last changed; used only if later than the stored time, which never moves back. Default: now. */
  readonly updatedAt?: string | undefined
  /** Annotations of this write, instead of those of the request. */
  readonly annotations?: WriteAnnotations | undefined
}

export interface SaveOptions {
  /**
   * A unique attribute, or `uuid`: an entry with the same value (and locale, unless it is the UUID) is updated instead of
   * creating one.
   */
  readonly match?: string | undefined
  /**
   * A trial run: everything is written and rolled back at the end, to find out what would be refused and what would happen to the
   * entries.
   */
  readonly isTrial?: boolean
  /** Called with everything that was saved, before the commit. */
  alongside?(tx: Transaction, saved: readonly SavedEntry[]): unknown
}

/** The result for one payload. */
export interface SavedEntry {
  readonly id: number
  readonly outcome: 'created' | 'updated' | 'unchanged'
}
