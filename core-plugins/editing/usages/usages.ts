/** What happens to a reference when the entry that it refers to is deleted. */
export type UsageEffect = 'CASCADE' | 'SET NULL' | 'RESTRICT' | 'NONE'

/** The entries that refer to an entry by one field. */
export interface FieldUsage {
  readonly type: string
  /** As `populate` names it. */
  readonly field: string
  /** True: in pending drafts, not in the entries themselves. */
  readonly isDraft: boolean
  readonly effect: UsageEffect
  readonly count: number
  /** Whether there are more than `count`. */
  readonly hasMore: boolean
  /** The first entries, by id. */
  readonly entries: readonly {
    readonly id: number
    readonly title: string | null
    readonly isInTrash: boolean
  }[]
}

/** The effects of deleting an entry. */
export interface Deletion {
  /** Whether the entry moves to the trash, because its type has one. */
  readonly toTrash: boolean
  /** Whether a relation with `RESTRICT` to the entry, or to one that would be deleted along with it, forbids the deletion. */
  readonly isRefused: boolean
  /**
   * For administrators: tables that no schema declares any more (such as those of removed types) whose rows prevent the deletion
   * of the entry or of one deleted along with it. Left out if there are none.
   */
  readonly heldBy?: readonly string[]
  /** Entries that would be deleted as well, also indirectly. */
  readonly deletes: readonly { readonly type: string; readonly count: number }[]
  /** False: there may be more that were not counted. */
  readonly isComplete: boolean
}

export interface EntryUsage {
  readonly usages: readonly FieldUsage[]
  readonly deletion: Deletion
}
