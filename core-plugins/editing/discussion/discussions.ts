import type { PluginContext } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Audit } from '../../background/audit/audit.ts'
import type { Content } from '../../entries/content/content.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError, type Principal, type Range } from '../../foundation/http/http.ts'
import { type Assignments, explainAssignError, type NewAssignment } from './assignments.ts'
import type { CommentEdit, Comments, NewComment } from './comments.ts'
import {
  type Assignment,
  assignmentCreated,
  type Comment,
  commentCreated,
  discussionChanged,
  type EntryKey,
  type Notice,
  type Notifier,
} from './discussion.ts'

/** The caller, the entry, and the client's address. */
export interface EntryCall {
  readonly entry: EntryKey
  readonly principal: Principal
  readonly ip: string
}

/** Comments and assignments. All methods: @throws AppError 404 if the caller may not see the entry */
export interface Discussions {
  comments(call: EntryCall, range: Range): Promise<{ comments: Comment[]; total: number }>
  /** @throws AppError 400 */
  comment(call: EntryCall, comment: NewComment): Promise<Comment>
  /** For the author and administrators. @throws AppError 403 */
  edit(call: EntryCall, commentId: number, edit: CommentEdit): Promise<Comment>
  resolve(call: EntryCall, commentId: number): Promise<Comment>
  reopen(call: EntryCall, commentId: number): Promise<Comment>
  /** For the author and administrators. @throws AppError 403 */
  removeComment(call: EntryCall, commentId: number): Promise<Comment>
  assignments(call: EntryCall, range: Range): Promise<{ assignments: Assignment[]; total: number }>
  /** @throws AppError 400 for an unknown user, 409 for one who already has the role */
  assign(call: EntryCall, assignment: NewAssignment): Promise<Assignment>
  unassign(call: EntryCall, assignmentId: number): Promise<Assignment>
}

export interface DiscussionDeps {
  readonly comments: Comments
  readonly assignments: Assignments
  readonly database: Database
  readonly content: Content
  readonly auth: Auth
  /** Undefined if there is no audit log. */
  readonly audit: Audit | undefined
  readonly emit: PluginContext['emit']
  readonly notify: Notifier
}

export function createDiscussions(deps: DiscussionDeps): Discussions {
  const { comments, assignments, database, content, audit, emit, notify } = deps

  async function assertEntry({ entry: { type, id }, principal }: EntryCall): Promise<void> {
    const found = await content.unguarded.find(type, id, 'fields=id', principal)
    if (found === undefined) throw AppError.notFound(`${type} ${id}`)
  }

  /** Runs `work` in a transaction, records the change in the audit log as `action`, and announces it. */
  async function change<T extends Comment | Assignment>(
    call: EntryCall,
    action: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    await assertEntry(call)
    const { entry, principal, ip } = call
    return database.transaction(async (tx) => {
      const result = await work(tx)
      tx.afterCommit(() => emit(discussionChanged, { entry, principal, recipients: concernedBy(result) }))
      const resource = `${entry.type}:${entry.id}`
      await audit?.record({ action, principal, resource, details: { id: result.id }, ip }, tx)
      return result
    })
  }

  function settle(call: EntryCall, id: number, by: Principal | undefined): Promise<Comment> {
    const { entry, principal } = call
    return change(call, by === undefined ? 'comment.reopen' : 'comment.resolve', async (tx) => {
      const { comment } = await comments.open(entry, id, { principal, tx })
      return comments.settle(comment, by, tx)
    })
  }

  return {
    async comments(call, range) {
      await assertEntry(call)
      return comments.list(call.entry, range)
    },
    comment: (call, comment) =>
      change(call, 'comment.create', async (tx) => {
        const { entry, principal } = call
        const made = await comments.create(entry, comment, principal, tx)
        tx.afterCommit(() => emit(commentCreated, { entry, comment: made }))
        await notify(tx, { ...call, ...newlyMentioned(made) })
        return made
      }),
    edit: (call, id, edit) =>
      change(call, 'comment.update', async (tx) => {
        const before = await openOwn(deps, call, { id, tx })
        const edited = await comments.edit(before, edit, tx)
        await notify(tx, { ...call, ...newlyMentioned(edited, before) })
        return edited
      }),
    resolve: (call, id) => settle(call, id, call.principal),
    reopen: (call, id) => settle(call, id, undefined),
    removeComment: (call, id) =>
      change(call, 'comment.delete', async (tx) => {
        const comment = await openOwn(deps, call, { id, tx })
        await comments.remove(comment, tx)
        return comment
      }),
    async assignments(call, range) {
      await assertEntry(call)
      return assignments.list(call.entry, range)
    },
    async assign(call, assignment) {
      try {
        return await change(call, 'assignment.create', async (tx) => {
          const { entry, principal } = call
          const made = await assignments.create(entry, assignment, principal, tx)
          tx.afterCommit(() => emit(assignmentCreated, { entry, assignment: made }))
          await notify(tx, { ...call, ...newlyAssigned(made) })
          return made
        })
      } catch (error) {
        throw explainAssignError(error, assignment)
      }
    },
    unassign: (call, id) => change(call, 'assignment.delete', (tx) => assignments.remove(call.entry, id, tx)),
  }
}

/** @throws AppError 403 unless the caller wrote the comment or is an administrator */
async function openOwn(
  { comments, auth }: DiscussionDeps,
  { entry, principal }: EntryCall,
  { id, tx }: { readonly id: number; readonly tx: Transaction },
): Promise<Comment> {
  const { comment, isByCaller } = await comments.open(entry, id, { principal, tx })
  if (isByCaller || auth.isAdministrator(principal)) return comment
  throw AppError.forbidden('only the author or an administrator may change a comment')
}

function newlyAssigned({ userId, createdAt }: Assignment): Concerned {
  return { section: 'assigned', userIds: [userId], at: createdAt }
}

type Concerned = Pick<Notice, 'section' | 'userIds' | 'at'>

/** The users whom a comment mentions and did not mention before. */
function newlyMentioned({ mentions, updatedAt }: Comment, before?: Comment): Concerned {
  const known = new Set(before?.mentions.map(({ id }) => id))
  const userIds = mentions.map(({ id }) => id).filter((id) => !known.has(id))
  return { section: 'mentioned', userIds, at: updatedAt }
}

/** The admin users whom a comment mentions or an assignment is for. */
function concernedBy(changed: Comment | Assignment): readonly number[] {
  return 'userId' in changed ? [changed.userId] : changed.mentions.map(({ id }) => id)
}
