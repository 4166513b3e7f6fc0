import { type HookToken, hook } from '../../kernel/index.ts'

/** An entry by its type's singular name. */
export interface EntryKey {
  readonly type: string
  readonly id: number
}

/** An admin user or a token, as shown with what they did. */
export interface Person {
  readonly id: number
  /** For a token, its name. */
  readonly username: string
}

/** A comment on an entry. Times are ISO 8601. */
export interface Comment {
  readonly id: number
  readonly body: string
  readonly author: Person
  /** The id of the comment that it replies to. */
  readonly parent: number | null
  readonly resolvedAt: string | null
  readonly resolvedBy: Person | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The assignment of an admin user to an entry. */
export interface Assignment {
  readonly id: number
  /** An admin user. */
  readonly userId: number
  /** Free text: `reviewer`. */
  readonly role: string
  readonly assignedBy: Person
  readonly createdAt: string
}

/** Emitted after the commit. */
export const commentCreated: HookToken<{ readonly entry: EntryKey; readonly comment: Comment }> =
  hook('discussion:commentCreated')

/** Emitted after the commit. */
export const assignmentCreated: HookToken<{ readonly entry: EntryKey; readonly assignment: Assignment }> =
  hook('discussion:assignmentCreated')
