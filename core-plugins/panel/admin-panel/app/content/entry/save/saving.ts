import type { MergeConflict } from '../../schema/merged.ts'
import type { Entry, Saved } from '../store/entry-store.ts'

/** How saving goes. */
export type Saving =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  /** Nothing is lost; it can be tried again. */
  | { readonly kind: 'failed'; readonly message: string; readonly isOffline: boolean }
  /** Somebody else has changed the same: whoever is here decides. */
  | { readonly kind: 'conflict'; readonly merge: MergedEntry }

/** What is here, merged with what somebody else has saved meanwhile. */
export interface MergedEntry {
  readonly values: Entry
  readonly theirs: Saved
  readonly conflicts: readonly MergeConflict[]
}

export const idle: Saving = { kind: 'idle' }
