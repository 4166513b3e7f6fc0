import type { Entry, EntryQuery } from '../../../entries/content/content.ts'

/** The entries that a subscription follows. */
export interface FollowedEntries {
  /** Singular name. */
  readonly type: string
  /** Undefined: all. */
  readonly ids: ReadonlySet<number> | undefined
  readonly locale: string | undefined
  /** Whether their drafts are shown. */
  readonly draft: boolean
  /** From where on, as an earlier event has told it; undefined: from now on. */
  readonly since: string | undefined
  /** How entries that have changed are read. */
  readonly query: EntryQuery
}

/** What a subscription tells of one entry. */
export interface EntryEvent {
  readonly cursor: string
  /** One of `changeNames`. */
  readonly change: ChangeName
  readonly id: number
  /** Null once the subscriber does not see it any more. */
  readonly entry: Entry | null
}

/** As a subscriber sees it: what appears for them, and what disappears. */
export const changeNames = ['CREATED', 'UPDATED', 'DELETED'] as const
export type ChangeName = (typeof changeNames)[number]
