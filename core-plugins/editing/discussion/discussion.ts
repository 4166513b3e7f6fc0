import { type ExtensionPoint, extensionPoint, type HookToken, hook } from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'

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

/** A person, and what kind of caller they were: `admin` or `token`. */
export interface Actor extends Person {
  readonly kind: string
}

/** A comment on an entry. Times are ISO 8601. */
export interface Comment {
  readonly id: number
  readonly body: string
  readonly author: Actor
  /** The id of the comment that it replies to. */
  readonly parent: number | null
  /** The path of the field that it is about; null: the entry as a whole. */
  readonly field: string | null
  /** The admin users whom it asks to look. */
  readonly mentions: readonly Person[]
  readonly resolvedAt: string | null
  readonly resolvedBy: Actor | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The assignment of an admin user to an entry. */
export interface Assignment {
  readonly id: number
  /** An admin user. */
  readonly userId: number
  readonly username: string
  /** Free text: `reviewer`. */
  readonly role: string
  readonly assignedBy: Actor
  readonly createdAt: string
}

/** Emitted after the commit. */
export const commentCreated: HookToken<{ readonly entry: EntryKey; readonly comment: Comment }> =
  hook('discussion:commentCreated')

/** Emitted after the commit. */
export const assignmentCreated: HookToken<{ readonly entry: EntryKey; readonly assignment: Assignment }> =
  hook('discussion:assignmentCreated')

/**
 * Comments on an entry or assignments to it have changed; emitted after the commit. `recipients`: the admin users
 * who have been mentioned or assigned, or no longer are.
 */
export const discussionChanged: HookToken<{
  readonly entry: EntryKey
  readonly principal: Principal
  readonly recipients: readonly number[]
}> = hook('discussion:changed')

/** Admin users have been mentioned in a comment on an entry, or assigned to it. */
export interface Notice {
  readonly section: 'mentioned' | 'assigned'
  readonly entry: EntryKey
  /** Who has done it. */
  readonly principal: Principal
  readonly userIds: readonly number[]
  /** When; as the inboxes of those users have it. */
  readonly at: string
}

/** Called in the transaction of the comment or assignment, for what must happen along with it. */
export type Notifier = (tx: Transaction, notice: Notice) => Promise<void>

export const notifiers: ExtensionPoint<Notifier> = extensionPoint('notifiers')
