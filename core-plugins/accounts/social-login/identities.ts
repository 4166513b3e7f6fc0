import type { Database, Queries } from '../../foundation/database/database.ts'
import { identitiesTable } from './tables.ts'

/** Which provider account belongs to which content user. */
export interface Identities {
  /** The id of the user. */
  userOf(provider: string, subject: string, on?: Queries): Promise<number | undefined>
  /** Whether the user has signed in with any provider before. */
  hasAny(userId: number, on: Queries): Promise<boolean>
  /** @throws DatabaseError of kind `unique` if the provider account is already linked */
  link(provider: string, subject: string, userId: number, on: Queries): Promise<void>
}

/** Makes the store over `svc_social_identities`. */
export function createIdentities(database: Database): Identities {
  const identities = identitiesTable.on(database)
  const queries = {
    find: identities.find(['provider', 'subject'], { pick: ['userId'] }),
    findAny: identities.find(['userId'], { pick: ['userId'], limit: 1 }),
    insert: identities.insert(),
  }
  return {
    userOf: async (provider, subject, on) => (await queries.find.get({ provider, subject }, on))?.userId,
    hasAny: async (userId, on) => (await queries.findAny.get({ userId }, on)) !== undefined,
    async link(provider, subject, userId, on) {
      await queries.insert.run({ provider, subject, userId, createdAt: new Date().toISOString() }, on)
    },
  }
}
