import type { Entry, EntryQuery } from '../../../entries/content/content.ts'

/** The entries that a subscription follows. */
export interface FollowedEntries {
  /** Singular name. */
  readonly type: string
  /** Undefined: all entries. */
  readonly ids: ReadonlySet<number> | undefined
  readonly locale: string | undefined
  /** Whether drafts are included. */
  readonly draft: boolean
  /** The cursor of an earlier event; undefined: starts now. */
  readonly since: string | undefined
  /** The query to read changed entries. */
  readonly query: EntryQuery
}

/** An event about one entry. */
export interface EntryEvent {
  readonly cursor: string
  /** One of `changeNames`. */
  readonly change: ChangeName
  readonly id: number
  /** Null once the subscriber may no longer see the entry. */
  readonly entry: Entry | null
}

/** From the subscriber's view: `CREATED` when an entry becomes visible, `DELETED` when it is no longer visible. */
export const changeNames = ['CREATED', 'UPDATED', 'DELETED'] as const
export type ChangeName = (typeof changeNames)[number]
