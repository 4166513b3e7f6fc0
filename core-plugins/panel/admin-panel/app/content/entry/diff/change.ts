/** A run of text that is in both versions, or in one of them. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** What has become of one value; a tree, because components have fields of their own. */
export type Change =
  /** Word by word. `words` of what one reads, `markup` where only the formatting differs, `code` of JSON. */
  | { readonly kind: 'text'; readonly of: 'words' | 'markup' | 'code'; readonly parts: readonly TextPart[] }
  /** Numbers, dates, choices: there is nothing between one and the other. */
  | { readonly kind: 'value'; readonly before: unknown; readonly after: unknown }
  | ReferencesChange
  | {
      readonly kind: 'component'
      readonly state: 'added' | 'removed' | 'changed'
      readonly uid: string
      readonly fields: readonly FieldChange[]
    }
  | { readonly kind: 'blocks'; readonly blocks: readonly BlockChange[] }

/** Entries or files that are referred to, by id. */
export interface ReferencesChange {
  readonly kind: 'references'
  /** Undefined: files of the media library. */
  readonly target: string | undefined
  readonly added: readonly number[]
  readonly removed: readonly number[]
  /** What both versions have is in another order. */
  readonly isReordered: boolean
}

/** One field that is not the same. */
export interface FieldChange {
  readonly field: string
  readonly change: Change
}

/** One item of a repeatable component or a dynamic zone that is not the same, or stands elsewhere. */
export interface BlockChange {
  readonly state: 'added' | 'removed' | 'changed' | 'moved'
  readonly uid: string
  /** Counted from 0 in the version before; undefined for a new one. */
  readonly from: number | undefined
  /** Counted from 0 in the version after; undefined for a removed one. */
  readonly to: number | undefined
  readonly hasMoved: boolean
  readonly fields: readonly FieldChange[]
}
