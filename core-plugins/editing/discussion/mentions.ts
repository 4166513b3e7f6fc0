import { sql } from 'drizzle-orm'
import {
  type Database,
  DatabaseError,
  type Queries,
  query,
  selectList,
  type Transaction,
} from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { Person } from './discussion.ts'
import { mentionsTable } from './tables.ts'

/** The rows of `svc_mentions`. */
export interface Mentions {
  /** The mentioned users by comment id; with one query. */
  ofComments(commentIds: readonly number[], on?: Queries): Promise<ReadonlyMap<number, readonly Person[]>>
  /**
   * Replaces the users whom a comment mentions; new mentions get the time `at`. @throws AppError 400 for an unknown admin user
   */
  put(
    comment: { readonly id: number; readonly at: string },
    userIds: readonly number[],
    tx: Transaction,
  ): Promise<void>
}

export function createMentions(database: Database): Mentions {
  const queries = mentionQueries(database)

  async function ofComments(commentIds: readonly number[], on?: Queries) {
    const byComment = new Map<number, Person[]>()
    if (commentIds.length === 0) return byComment
    for (const { commentId, id, username } of await queries.ofComments.all({ commentIds }, on)) {
      byComment.set(commentId, [...(byComment.get(commentId) ?? []), { id, username }])
    }
    return byComment
  }

  return {
    ofComments,
    async put({ id: commentId, at }, userIds, tx) {
      const present = ((await ofComments([commentId], tx)).get(commentId) ?? []).map(({ id }) => id)
      const gone = present.filter((id) => !userIds.includes(id))
      const added = [...new Set(userIds)].filter((id) => !present.includes(id))
      if (gone.length > 0) await queries.remove.run({ commentId, gone }, tx)
      const rows = added.map((userId) => ({ commentId, userId, mentionedAt: at, dismissedAt: null }))
      await queries.insert(rows, tx).catch((error) => {
        throw unknownPerson(error)
      })
    },
  }
}

function unknownPerson(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== 'reference') return error
  const message = 'names an admin user who does not exist'
  return AppError.invalid([{ path: 'mentions', code: 'reference', message }])
}

function mentionQueries(database: Database) {
  const mentions = mentionsTable.on(database)
  const { commentId, userId } = mentionsTable.columns
  const columns = {
    commentId: { column: 'comment_id', kind: 'integer' },
    id: { column: 'user_id', kind: 'integer' },
    username: { column: 'username', kind: 'string' },
  } as const
  return {
    ofComments: query<Person & { readonly commentId: number }>(
      database,
      (_, inList) => sql`select ${selectList(database, columns)} from
        (select m.comment_id, m.user_id, u.username from ${mentionsTable} m
          join svc_admin_users u on u.id = m.user_id
          where ${inList(sql`m.comment_id`, 'commentIds', 'integer')}) as found
        order by user_id`,
      columns,
    ),
    insert: mentions.insertMany(),
    remove: mentions.delete(
      (value, inList) => sql`${commentId} = ${value(commentId)} and ${inList(userId, 'gone')}`,
    ),
  }
}
