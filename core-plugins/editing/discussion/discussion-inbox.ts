import { sql } from 'drizzle-orm'
import { type Database, query, selectList } from '../../foundation/database/database.ts'
import type { EntryKey, Person } from './discussion.ts'
import { assignmentsTable, commentsTable, mentionsTable } from './tables.ts'

/** An entry that is assigned to the admin user. */
export interface AssignedEntry extends EntryKey {
  readonly role: string
  readonly assignedBy: Person
  readonly at: string
}

/** An unresolved comment that mentions the admin user. */
export interface WaitingMention extends EntryKey {
  readonly mentionId: number
  readonly commentId: number
  readonly field: string | null
  readonly body: string
  readonly author: Person
  readonly at: string
}

/** Limits of a query for waiting items. */
export interface WaitingRange {
  readonly limit: number
  /** Only entries of these types. */
  readonly types: readonly string[]
}

/**
 * The items that wait for an admin user, newest first, regardless of permissions: the caller has to remove entries that the user
 * may not see.
 */
export interface DiscussionInbox {
  assignedTo(userId: number, range: WaitingRange): Promise<readonly AssignedEntry[]>
  mentionsOf(userId: number, range: WaitingRange): Promise<readonly WaitingMention[]>
  /** Removes a mention from the user's inbox. Returns false if it does not exist. */
  dismiss(userId: number, mentionId: number): Promise<boolean>
}

export function createDiscussionInbox(database: Database): DiscussionInbox {
  const queries = inboxQueries(database)
  return {
    async assignedTo(userId, range) {
      const rows = await queries.assigned.all({ userId, ...range, offset: 0 })
      return rows.map(({ type, entryId, role, assignerId, assignerName, createdAt }) => ({
        ...{ type, id: entryId, role, at: createdAt },
        assignedBy: { id: assignerId, username: assignerName },
      }))
    },
    async mentionsOf(userId, range) {
      const rows = await queries.mentions.all({ userId, ...range })
      return rows.map(({ mentionId, commentId, type, entryId, field, body, authorId, authorName, at }) => ({
        ...{ mentionId, commentId, type, id: entryId, field, body, at },
        author: { id: authorId, username: authorName },
      }))
    },
    async dismiss(userId, id) {
      const { changes } = await queries.dismiss.run({ userId, id, dismissedAt: new Date().toISOString() })
      return changes > 0
    },
  }
}

interface MentionRow {
  readonly mentionId: number
  readonly commentId: number
  readonly type: string
  readonly entryId: number
  readonly field: string | null
  readonly body: string
  readonly authorId: number
  readonly authorName: string
  readonly at: string
}

function inboxQueries(database: Database) {
  const { id, userId, type } = assignmentsTable.columns
  const columns = {
    mentionId: { column: 'mention_id', kind: 'integer' },
    commentId: { column: 'comment_id', kind: 'integer' },
    type: { column: 'type', kind: 'string' },
    entryId: { column: 'entry_id', kind: 'integer' },
    field: { column: 'field', kind: 'string' },
    body: { column: 'body', kind: 'text' },
    authorId: { column: 'author_id', kind: 'integer' },
    authorName: { column: 'author_name', kind: 'string' },
    at: { column: 'at', kind: 'datetime' },
  } as const
  return {
    assigned: assignmentsTable
      .on(database)
      .list((value, inList) => sql`${userId} = ${value(userId)} and ${inList(type, 'types')}`, {
        orderBy: sql`${id} desc`,
      }),
    // Leaves out mentions that the user has answered, and those in resolved comments.
    mentions: query<MentionRow>(
      database,
      (value, inList) => sql`select ${selectList(database, columns)} from
        (select m.id as mention_id, m.comment_id, c.type, c.entry_id, c.field, c.body, c.author_id, c.author_name,
            coalesce(m.mentioned_at, c.created_at) as at
          from ${mentionsTable} m join ${commentsTable} c on c.id = m.comment_id
          where m.user_id = ${value('userId', 'integer')} and m.dismissed_at is null and c.resolved_at is null
            and ${inList(sql`c.type`, 'types', 'string')}) as found
        order by mention_id desc limit ${value('limit', 'integer')}`,
      columns,
    ),
    dismiss: mentionsTable.on(database).update(
      ['dismissedAt'],
      (value) =>
        sql`${mentionsTable.columns.id} = ${value('id', 'integer')} and ${mentionsTable.columns.userId} =
            ${value('userId', 'integer')} and ${mentionsTable.columns.dismissedAt} is null`,
    ),
  }
}
