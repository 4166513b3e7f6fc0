/**
 * The kind of write that created a revision. `restore` restored an older revision, `undelete` a soft-deleted
 * entry; `repair` is the service itself removing stale references. A `baseline` is the state found by the
 * first recorded write, or by the first one after a time without this plugin. `draft` and `discard` are
 * writes of the pending draft: the entry as readers of drafts saw it.
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

/** The author of a revision. */
export interface RevisionAuthor {
  readonly kind: 'admin' | 'user' | 'token'
  readonly id: number
  /** For a token, its name. */
  readonly username: string
}

/** An entry as one write left it. */
export interface Revision {
  readonly id: number
  /** Counts the writes of the entry, starting at 1. */
  readonly version: number
  readonly action: RevisionAction
  /** The entry without `id`, `created_at` and `updated_at`. */
  readonly data: Readonly<Record<string, unknown>>
  /** Null for writes by the service itself, and for callers without credentials. */
  readonly author: RevisionAuthor | null
  /** ISO 8601. */
  readonly createdAt: string
}

/** An entry by its type's singular name. */
export interface EntryKey {
  readonly type: string
  readonly id: number
}
