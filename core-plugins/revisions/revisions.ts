/**
 * What made a revision. `restore` brought back an older revision, `undelete` a soft-deleted entry; `repair` is the
 * service itself, taking out what is no longer there. A `baseline` is what was found by the first write that was
 * recorded, or the first one after a time without this plugin. `draft` and `discard` are writes of the draft beside an
 * entry: what the entry was to those who see drafts.
 */
export type RevisionAction =
  | 'create'
  | 'update'
  | 'publish'
  | 'unpublish'
  | 'delete'
  | 'undelete'
  | 'restore'
  | 'repair'
  | 'baseline'
  | 'draft'
  | 'discard'

/** Who wrote it. */
export interface RevisionAuthor {
  readonly kind: 'admin' | 'user' | 'token'
  readonly id: number
  /** The name of a token. */
  readonly username: string
}

/** An entry as one write has left it. */
export interface Revision {
  readonly id: number
  /** Counts the writes of the entry, from 1. */
  readonly version: number
  readonly action: RevisionAction
  /** The entry without `id`, `created_at` and `updated_at`. */
  readonly data: Readonly<Record<string, unknown>>
  /** Null for what the service did by itself, and for callers without credentials. */
  readonly author: RevisionAuthor | null
  /** ISO 8601. */
  readonly createdAt: string
}

/** An entry by its type's singular name. */
export interface EntryKey {
  readonly type: string
  readonly id: number
}
