import { sql } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../database/database.ts'
import { AppError, type Principal, type Range } from '../http/http.ts'
import type { Comment, EntryKey } from './discussion.ts'
import { personOf, present } from './person.ts'
import { type CommentRow, commentsTable } from './tables.ts'

export interface NewComment {
  readonly body: string
  readonly parent: number | null
}

/** The rows of `svc_comments`. */
export interface Comments {
  /** Oldest first. */
  list(entry: EntryKey, range: Range): Promise<{ comments: Comment[]; total: number }>
  /** @throws AppError 400 if the parent is not a comment on the entry */
  create(entry: EntryKey, comment: NewComment, principal: Principal, tx: Transaction): Promise<Comment>
  /**
   * Locked until the end of the transaction; `isByCaller` says whether the caller wrote it. @throws AppError
   * 404
   */
  open(
    entry: EntryKey,
    id: number,
    by: { readonly principal: Principal; readonly tx: Transaction },
  ): Promise<{ comment: Comment; isByCaller: boolean }>
  edit(comment: Comment, body: string, tx: Transaction): Promise<Comment>
  /** Resolves it, or reopens it if `principal` is undefined. */
  settle(comment: Comment, principal: Principal | undefined, tx: Transaction): Promise<Comment>
  /** Its replies become replies to its parent. */
  remove(comment: Comment, tx: Transaction): Promise<void>
  /** Deletes the comments on entries. */
  removeEntries(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
}

export function createComments(database: Database): Comments {
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
    return commentOf(row)
  }

  return {
    async list({ type, id: entryId }, range) {
      const { rows, total } = await queries.page({ type, entryId, ...range })
      return { comments: rows.map(commentOf), total }
    },
    async create(entry, { body, parent }, principal, tx) {
      if (parent !== null && (await lock(entry, parent, tx)) === undefined) {
        const message = `there is no comment ${parent} on this entry`
        throw AppError.invalid([{ path: 'parent', code: 'reference', message }])
      }
      const { kind: authorKind, id: authorId, name: authorName } = personOf(principal)
      const now = new Date().toISOString()
      const by = { authorKind, authorId, authorName }
      const row = { type: entry.type, entryId: entry.id, body, parent, ...by, createdAt: now, updatedAt: now }
      const { insertId } = await queries.insert.run(row, tx)
      return find(insertId, tx)
    },
    async open(entry, id, { principal, tx }) {
      const row = await lock(entry, id, tx)
      if (row === undefined) throw AppError.notFound(`comment ${id}`)
      const { kind, id: callerId } = personOf(principal)
      return { comment: commentOf(row), isByCaller: row.authorKind === kind && row.authorId === callerId }
    },
    async edit({ id }, body, tx) {
      await queries.edit.run({ id, body, updatedAt: new Date().toISOString() }, tx)
      return find(id, tx)
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
    async removeEntries(type, entryIds, tx) {
      await queries.removeEntries.run({ type, entryIds }, tx)
    },
  }
}

function commentOf(row: CommentRow): Comment {
  const { id, body, parent, resolvedAt, createdAt, updatedAt } = row
  const author = present(row.authorId, row.authorName)
  const resolvedBy = row.resolverId === null ? null : present(row.resolverId, row.resolverName)
  return { id, body, author, parent, resolvedAt, resolvedBy, createdAt, updatedAt }
}

function commentQueries(database: Database) {
  const comments = commentsTable.on(database)
  const { id, type, entryId, parent } = commentsTable.columns
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
    removeEntries: comments.delete(
      (value, inList) => sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`,
    ),
  }
}
