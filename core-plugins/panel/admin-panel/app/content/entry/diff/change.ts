/** A run of text that is in both versions, or in one of them. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** How one value has changed; a tree, because components have fields of their own. */
export type Change =
  /** Compared word by word: `words` for the visible text, `markup` where only the formatting differs, `code` for JSON. */
  | { readonly kind: 'text'; readonly of: 'words' | 'markup' | 'code'; readonly parts: readonly TextPart[] }
  /** Numbers, dates, choices: shown as old and new value, since a partial difference means nothing. */
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
  /** The name of the related type; undefined for files of the media library. */
  readonly target: string | undefined
  readonly added: readonly number[]
  readonly removed: readonly number[]
  /** Whether the references that are in both versions have changed order. */
  readonly isReordered: boolean
}

/** A field whose value differs between the versions. */
export interface FieldChange {
  readonly field: string
  readonly change: Change
}

/** An item of a repeatable component or a dynamic zone that differs or has moved. */
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
