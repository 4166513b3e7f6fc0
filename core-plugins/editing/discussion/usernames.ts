import { sql } from 'drizzle-orm'
import { type Database, type Queries, query, selectList } from '../../foundation/database/database.ts'
import type { Person } from './discussion.ts'

/** Finds the usernames of admin users by their ids; with one query. */
export type Usernames = (ids: readonly number[], on?: Queries) => Promise<ReadonlyMap<number, string>>

export function createUsernames(database: Database): Usernames {
  const columns = {
    id: { column: 'id', kind: 'id' },
    username: { column: 'username', kind: 'string' },
  } as const
  const people = query<Person>(
    database,
    (_, inList) => sql`select ${selectList(database, columns)} from ${sql.identifier('svc_admin_users')}
      where ${inList(sql`id`, 'ids', 'integer')}`,
    columns,
  )
  return async (ids, on) => {
    const found = ids.length === 0 ? [] : await people.all({ ids: [...new Set(ids)] }, on)
    return new Map(found.map(({ id, username }) => [id, username]))
  }
}
