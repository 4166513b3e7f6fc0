import type { MergeConflict } from '../../schema/merged.ts'
import type { Entry, Saved } from '../store/entry-store.ts'

/** The state of saving. */
export type Saving =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  /** The changes are still in the form; saving can be retried. */
  | { readonly kind: 'failed'; readonly message: string; readonly isOffline: boolean }
  /** Another user has changed the same values: the user of this form decides. */
  | { readonly kind: 'conflict'; readonly merge: MergedEntry }

/** The form's values merged with what another user has saved meanwhile. */
export interface MergedEntry {
  readonly values: Entry
  readonly theirs: Saved
  readonly conflicts: readonly MergeConflict[]
}

export const idle: Saving = { kind: 'idle' }
