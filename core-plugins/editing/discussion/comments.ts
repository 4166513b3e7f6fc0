import { sql } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../foundation/database/database.ts'
import { AppError, type Principal, type Range } from '../../foundation/http/http.ts'
import type { Comment, EntryKey, Person } from './discussion.ts'
import type { Mentions } from './mentions.ts'
import { personOf, present } from './person.ts'
import { type CommentRow, commentsTable } from './tables.ts'

export interface NewComment {
  readonly body: string
  readonly parent: number | null
  /** The path of the field that the comment is about. */
  readonly field: string | null
  /** Ids of admin users. */
  readonly mentions: readonly number[]
}

/** If `mentions` is undefined, the mentions stay unchanged. */
export interface CommentEdit {
  readonly body: string
  readonly mentions: readonly number[] | undefined
}

/** The rows of `svc_comments`. */
export interface Comments {
  /** Oldest first. */
  list(entry: EntryKey, range: Range): Promise<{ comments: Comment[]; total: number }>
  /** @throws AppError 400 if the parent is not a comment on the entry, or a mentioned user does not exist */
  create(entry: EntryKey, comment: NewComment, principal: Principal, tx: Transaction): Promise<Comment>
  /** Locks the comment until the end of the transaction; `isByCaller` says whether the caller wrote it. @throws AppError 404 */
  open(
    entry: EntryKey,
    id: number,
    by: { readonly principal: Principal; readonly tx: Transaction },
  ): Promise<{ comment: Comment; isByCaller: boolean }>
  /** @throws AppError 400 if a mentioned user does not exist */
  edit(comment: Comment, edit: CommentEdit, tx: Transaction): Promise<Comment>
  /** Resolves the comment, or reopens it if `principal` is undefined. */
  settle(comment: Comment, principal: Principal | undefined, tx: Transaction): Promise<Comment>
  /** Removes the comment; its replies become replies to its parent. */
  remove(comment: Comment, tx: Transaction): Promise<void>
}

export function createComments(database: Database, mentions: Mentions): Comments {
  const queries = commentQueries(database)

  async function lock(
    { type, id: entryId }: EntryKey,
    id: number,
    on: Queries,
  ): Promise<CommentRow | undefined> {
    return queries.lock.get({ type, entryId, id }, on)
  }

  async function find(id: number, tx: Transaction): Promise<Comment> {
    const row = await queries.find.get({ id }, tx)
    if (row === undefined) throw AppError.notFound(`comment ${id}`)
    return commentOf(row, await mentions.ofComments([id], tx))
  }

  async function mention(
    comment: { readonly id: number; readonly at: string },
    userIds: readonly number[],
    tx: Transaction,
  ): Promise<Comment> {
    await mentions.put(comment, userIds, tx)
    return find(comment.id, tx)
  }

  return {
    async list({ type, id: entryId }, range) {
      const { rows, total } = await queries.page({ type, entryId, ...range })
      const mentioned = await mentions.ofComments(rows.map(({ id }) => id))
      return { comments: rows.map((row) => commentOf(row, mentioned)), total }
    },
    async create(entry, { body, parent, field, mentions: userIds }, principal, tx) {
      if (parent !== null && (await lock(entry, parent, tx)) === undefined) {
        const message = `there is no comment ${parent} on this entry`
        throw AppError.invalid([{ path: 'parent', code: 'reference', message }])
      }
      const { kind: authorKind, id: authorId, name: authorName } = personOf(principal)
      const now = new Date().toISOString()
      const by = { authorKind, authorId, authorName }
      const about = { type: entry.type, entryId: entry.id, parent, field }
      const row = { ...about, body, ...by, createdAt: now, updatedAt: now }
      const { insertId } = await queries.insert.run(row, tx)
      return mention({ id: insertId, at: now }, userIds, tx)
    },
    async open(entry, id, { principal, tx }) {
      const row = await lock(entry, id, tx)
      if (row === undefined) throw AppError.notFound(`comment ${id}`)
      const { kind, id: callerId } = personOf(principal)
      const comment = commentOf(row, await mentions.ofComments([id], tx))
      return { comment, isByCaller: row.authorKind === kind && row.authorId === callerId }
    },
    async edit({ id }, { body, mentions: userIds }, tx) {
      const now = new Date().toISOString()
      await queries.edit.run({ id, body, updatedAt: now }, tx)
      return userIds === undefined ? find(id, tx) : mention({ id, at: now }, userIds, tx)
    },
    async settle(comment, principal, tx) {
      const { id } = comment
      const now = new Date().toISOString()
      if ((principal === undefined) === (comment.resolvedAt === null)) return comment
      const by = principal && personOf(principal)
      const resolver =
        by === undefined
          ? { resolverKind: null, resolverId: null, resolverName: null, resolvedAt: null }
          : { resolverKind: by.kind, resolverId: by.id, resolverName: by.name, resolvedAt: now }
      await queries.settle.run({ id, ...resolver, updatedAt: now }, tx)
      return find(id, tx)
    },
    async remove({ id, parent }, tx) {
      await queries.moveUp.run({ id, parent }, tx)
      await queries.remove.run({ id }, tx)
    },
  }
}

function commentOf(row: CommentRow, mentioned: ReadonlyMap<number, readonly Person[]>): Comment {
  const { id, body, parent, field, resolvedAt, createdAt, updatedAt } = row
  const mentions = mentioned.get(id) ?? []
  const author = present(row.authorKind, row.authorId, row.authorName)
  const resolvedBy =
    row.resolverId === null ? null : present(row.resolverKind ?? '', row.resolverId, row.resolverName)
  return { id, body, author, parent, field, mentions, resolvedAt, resolvedBy, createdAt, updatedAt }
}

function commentQueries(database: Database) {
  const comments = commentsTable.on(database)
  const { id, parent } = commentsTable.columns
  return {
    page: comments.page(['type', 'entryId'], { orderBy: sql`${id}` }),
    find: comments.find(['id']),
    lock: comments.find(['id', 'type', 'entryId'], { lock: true }),
    insert: comments.insert(),
    edit: comments.update(['body', 'updatedAt'], ['id']),
    settle: comments.update(
      ['resolverKind', 'resolverId', 'resolverName', 'resolvedAt', 'updatedAt'],
      ['id'],
    ),
    moveUp: comments.update(['parent'], (value) => sql`${parent} = ${value(parent, 'id')}`),
    remove: comments.delete(['id']),
  }
}
