/** What becomes of a reference when the entry that it leads to is deleted. */
export type UsageEffect = 'CASCADE' | 'SET NULL' | 'RESTRICT' | 'NONE'

/** The entries that refer to an entry by one field. */
export interface FieldUsage {
  readonly type: string
  /** As `populate` names it. */
  readonly field: string
  /** In pending drafts, and not in the entries themselves. */
  readonly isDraft: boolean
  readonly effect: UsageEffect
  readonly count: number
  /** There are more than `count`. */
  readonly hasMore: boolean
  /** The first of them, by id. */
  readonly entries: readonly {
    readonly id: number
    readonly title: string | null
    readonly isInTrash: boolean
  }[]
}

/** What deleting an entry would do. */
export interface Deletion {
  /** The type has a trash. */
  readonly toTrash: boolean
  /** By an entry that refers to it, or to one that would be deleted along with it, with `RESTRICT`. */
  readonly isRefused: boolean
  /**
   * For administrators: tables that no schema declares any more, such as those of removed types, whose rows keep it, or one that
   * would be deleted along with it. Left out if there are none.
   */
  readonly heldBy?: readonly string[]
  /** Entries that would be deleted as well, also indirectly. */
  readonly deletes: readonly { readonly type: string; readonly count: number }[]
  /** False: there may be more, which were not counted. */
  readonly isComplete: boolean
}

export interface EntryUsage {
  readonly usages: readonly FieldUsage[]
  readonly deletion: Deletion
}
