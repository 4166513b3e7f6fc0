import { type HookToken, hook } from '../../kernel/index.ts'

/** An entry by its type's singular name. */
export interface EntryKey {
  readonly type: string
  readonly id: number
}

/** An admin user or a token, as what they did is shown. */
export interface Person {
  readonly id: number
  /** The name of a token. */
  readonly username: string
}

/** What somebody says about an entry. Moments are ISO 8601. */
export interface Comment {
  readonly id: number
  readonly body: string
  readonly author: Person
  /** The id of the comment that it answers. */
  readonly parent: number | null
  readonly resolvedAt: string | null
  readonly resolvedBy: Person | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Who has something to do with an entry. */
export interface Assignment {
  readonly id: number
  /** An admin user. */
  readonly userId: number
  /** As what, in free words: `reviewer`. */
  readonly role: string
  readonly assignedBy: Person
  readonly createdAt: string
}

/** After the commit. */
export const commentCreated: HookToken<{ readonly entry: EntryKey; readonly comment: Comment }> =
  hook('discussion:commentCreated')

/** After the commit. */
export const assignmentCreated: HookToken<{ readonly entry: EntryKey; readonly assignment: Assignment }> =
  hook('discussion:assignmentCreated')
