import { type SQL, sql } from 'drizzle-orm'
import {
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  type Transaction,
  type Value,
} from '../database/database.ts'
import { AppError, type Principal, type Range } from '../http/http.ts'
import type { Comment, EntryKey } from './discussion.ts'
import { personOf, present } from './person.ts'
import { commentColumns } from './tables.ts'

export interface NewComment {
  readonly body: string
  readonly parent: number | null
}

/** The rows of `svc_comments`. */
export interface Comments {
  /** Oldest first. */
  list(entry: EntryKey, range: Range): Promise<{ comments: Comment[]; total: number }>
  /** @throws AppError 400 if the parent is none of the entry's comments */
  create(entry: EntryKey, comment: NewComment, principal: Principal, tx: Transaction): Promise<Comment>
  /** Locked until the end of the transaction; `isByCaller` tells whether the caller wrote it. @throws AppError 404 */
  open(
    entry: EntryKey,
    id: number,
    by: { readonly principal: Principal; readonly tx: Transaction },
  ): Promise<{ comment: Comment; isByCaller: boolean }>
  edit(comment: Comment, body: string, tx: Transaction): Promise<Comment>
  /** Resolves it, or opens it again where `principal` is missing. */
  settle(comment: Comment, principal: Principal | undefined, tx: Transaction): Promise<Comment>
  /** Answers to it become answers to what it answered. */
  remove(comment: Comment, tx: Transaction): Promise<void>
  /** Forgets entries. */
  removeEntries(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
}

interface CommentRow {
  readonly id: number
  readonly body: string
  readonly parent: number | null
  readonly authorKind: string
  readonly authorId: number
  readonly authorName: string
  readonly resolverKind: string | null
  readonly resolverId: number | null
  readonly resolverName: string | null
  readonly resolvedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
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
      const [rows, counted] = await Promise.all([
        queries.list.all({ type, entryId, ...range }),
        queries.count.get({ type, entryId }),
      ])
      return { comments: rows.map(commentOf), total: counted?.total ?? 0 }
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
      await queries.edit.run({ id, body, now: new Date().toISOString() }, tx)
      return find(id, tx)
    },
    async settle(comment, principal, tx) {
      const { id } = comment
      const now = new Date().toISOString()
      if ((principal === undefined) === (comment.resolvedAt === null)) return comment
      const by = principal && personOf(principal)
      const resolver = { resolverKind: by?.kind, resolverId: by?.id, resolverName: by?.name }
      await queries.settle.run({ id, ...resolver, resolvedAt: by === undefined ? null : now, now }, tx)
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
  const table = sql`svc_comments`
  const ofEntry = (value: Value): SQL =>
    sql`type = ${value('type', 'string')} and entry_id = ${value('entryId', 'integer')}`
  const select = sql`select ${selectList(database, commentColumns)} from ${table}`
  return {
    list: query<CommentRow>(
      database,
      (value) => sql`${select} where ${ofEntry(value)} order by id
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      commentColumns,
    ),
    count: query<{ total: number }>(
      database,
      (value) => sql`select count(*) as total from ${table} where ${ofEntry(value)}`,
      { total: { column: 'total', kind: 'integer' } },
    ),
    find: query<CommentRow>(
      database,
      (value) => sql`${select} where id = ${value('id', 'id')}`,
      commentColumns,
    ),
    lock: query<CommentRow>(
      database,
      (value) =>
        sql`${select} where id = ${value('id', 'id')} and ${ofEntry(value)} ${database.dialect.forUpdate}`,
      commentColumns,
    ),
    insert: query(database, (value) => insertInto('svc_comments', commentColumns, value)),
    edit: query(
      database,
      (
        value,
      ) => sql`update ${table} set body = ${value('body', 'text')}, updated_at = ${value('now', 'datetime')}
        where id = ${value('id', 'id')}`,
    ),
    settle: query(
      database,
      (value) => sql`update ${table} set resolver_kind = ${value('resolverKind', 'string')},
        resolver_id = ${value('resolverId', 'integer')}, resolver_name = ${value('resolverName', 'string')},
        resolved_at = ${value('resolvedAt', 'datetime')}, updated_at = ${value('now', 'datetime')}
        where id = ${value('id', 'id')}`,
    ),
    moveUp: query(
      database,
      (value) => sql`update ${table} set parent_id = ${value('parent', 'reference')}
        where parent_id = ${value('id', 'reference')}`,
    ),
    remove: query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`),
    removeEntries: query(
      database,
      (value, inList) => sql`delete from ${table} where type = ${value('type', 'string')}
        and ${inList(sql`entry_id`, 'entryIds', 'integer')}`,
    ),
  }
}
