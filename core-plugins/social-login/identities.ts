import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
} from '../database/database.ts'
import { identitiesTable } from './tables.ts'

/** Which account of a provider is which content user. */
export interface Identities {
  /** The id of the user. */
  userOf(provider: string, subject: string, on?: Queries): Promise<number | undefined>
  /** Whether the user has signed in at any provider before. */
  hasAny(userId: number, on: Queries): Promise<boolean>
  /** @throws DatabaseError of kind `unique` if the account of the provider is somebody's already */
  link(provider: string, subject: string, userId: number, on: Queries): Promise<void>
}

const columns = {
  provider: { column: 'provider', kind: 'string' },
  subject: { column: 'subject', kind: 'string' },
  userId: { column: 'user_id', kind: 'reference' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns

/** Makes the store over `svc_social_identities`. */
export function createIdentities(database: Database): Identities {
  const table = sql.identifier(identitiesTable.name)
  const found = { userId: columns.userId }
  const queries = {
    find: query<{ userId: number }>(
      database,
      (value) => sql`select ${selectList(database, found)} from ${table}
        where provider = ${value('provider', 'string')} and subject = ${value('subject', 'string')}`,
      found,
    ),
    findAny: query<{ userId: number }>(
      database,
      (value) => sql`select ${selectList(database, found)} from ${table}
        where user_id = ${value('userId', 'reference')} limit 1`,
      found,
    ),
    insert: query(database, (value) => insertInto(identitiesTable.name, columns, value)),
  }
  return {
    userOf: async (provider, subject, on) => (await queries.find.get({ provider, subject }, on))?.userId,
    hasAny: async (userId, on) => (await queries.findAny.get({ userId }, on)) !== undefined,
    async link(provider, subject, userId, on) {
      await queries.insert.run({ provider, subject, userId, createdAt: new Date().toISOString() }, on)
    },
  }
}
