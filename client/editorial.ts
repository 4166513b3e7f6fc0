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

/** An entry that somebody has written. */
export interface RecentEntry {
  readonly type: string
  readonly id: number
  readonly title: string | null
  /** `create`, `update`, `publish` and so on. */
  readonly operation: string
  readonly by: { readonly id: number; readonly username: string }
  readonly at: string
}

/** What becomes public next, the earliest first. */
export interface Scheduled {
  readonly entries: readonly {
    readonly type: string
    readonly id: number
    readonly title: string | null
    readonly published_at: string
  }[]
  readonly releases: readonly {
    readonly id: number
    readonly name: string
    readonly scheduled_at: string
    readonly entryCount: number
  }[]
}

/** What undoing a bulk write has done. */
export interface RevertedBatch {
  readonly type: string
  readonly operation: 'update' | 'delete' | 'publish' | 'unpublish'
  /** Entries that are as they were. */
  readonly count: number
  readonly ids: readonly number[]
  readonly leftOut: readonly {
    readonly id: number
    /** Changed since, gone since, or not acceptable any more. */
    readonly reason: 'changed' | 'gone' | 'refused'
    readonly problems: readonly { readonly path: string; readonly code: string }[]
  }[]
}

/** A plugin of the service. */
export interface ListedPlugin {
  readonly name: string
  readonly description: string
  readonly version: string | null
  /** A part of Mortise. */
  readonly core: boolean
  readonly active: boolean
  /** Why it is off. */
  readonly reason: string | null
  readonly contributes: {
    readonly routes: readonly string[]
    readonly settings: readonly string[]
    readonly panelItems: readonly string[]
  }
}
