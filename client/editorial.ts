/** The entries that refer to an entry by one field. */
export interface FieldUsage {
  readonly type: string
  /** As `populate` names it: `blocks.author`. */
  readonly field: string
  /** In pending drafts, and not in the entries themselves. */
  readonly isDraft: boolean
  /** What becomes of them, or of the reference, when the entry is deleted; `NONE`: it keeps the id. */
  readonly effect: 'CASCADE' | 'SET NULL' | 'RESTRICT' | 'NONE'
  /** At most 1,000; of those that the caller may read. */
  readonly count: number
  readonly hasMore: boolean
  readonly entries: readonly {
    readonly id: number
    readonly title: string | null
    readonly isInTrash: boolean
  }[]
}

export interface EntryUsage {
  readonly usages: readonly FieldUsage[]
  readonly deletion: {
    readonly toTrash: boolean
    /** Something that must not lose it, or what would be deleted along with it, refers to it. */
    readonly isRefused: boolean
    /** For administrators: tables of types that are not there any more, whose rows keep it. */
    readonly heldBy?: readonly string[]
    /** Entries that would be deleted as well, also indirectly. */
    readonly deletes: readonly { readonly type: string; readonly count: number }[]
    readonly isComplete: boolean
  }
}
