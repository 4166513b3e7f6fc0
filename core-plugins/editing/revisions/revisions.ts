export type { Revision, RevisionAction, RevisionAuthor } from './revision.ts'

/** An entry by its type's singular name. */
export interface EntryKey {
  readonly type: string
  readonly id: number
}
