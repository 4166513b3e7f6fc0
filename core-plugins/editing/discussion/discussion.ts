import { type ExtensionPoint, extensionPoint, type HookToken, hook } from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Assignment, Comment } from './comment.ts'

export type { Assignment, Comment } from './comment.ts'
export type { Actor, Person } from './person.ts'

/** An entry by its type's singular name. */
export interface EntryKey {
  readonly type: string
  readonly id: number
}

/** Emitted after the commit. */
export const commentCreated: HookToken<{ readonly entry: EntryKey; readonly comment: Comment }> =
  hook('discussion:commentCreated')

/** Emitted after the commit. */
export const assignmentCreated: HookToken<{ readonly entry: EntryKey; readonly assignment: Assignment }> =
  hook('discussion:assignmentCreated')

/**
 * Comments on an entry or assignments to it have changed; emitted after the commit. `recipients`: the admin users who were
 * mentioned or assigned, or no longer are.
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
  /** The caller who mentioned or assigned them. */
  readonly principal: Principal
  readonly userIds: readonly number[]
  /** The time that the inboxes of those users show. */
  readonly at: string
}

/** Called in the transaction of the comment or assignment, for work that must be committed with it. */
export type Notifier = (tx: Transaction, notice: Notice) => Promise<void>

export const notifiers: ExtensionPoint<Notifier> = extensionPoint('notifiers')
