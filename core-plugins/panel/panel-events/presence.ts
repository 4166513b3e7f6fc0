import { sql } from 'drizzle-orm'
import { type Database, isUniqueViolation, query, selectList } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type PresenceRow, presenceTable } from './tables.ts'

/** A panel announces this often where somebody is; after two and a half times of it they are gone. */
export const beatSeconds = 20
const freshMs = beatSeconds * 2_500

/** Most panels in which one admin user is somewhere. */
const maxOfUser = 20
/** Most rows that are read at once. */
const maxRead = 2_000

/** Where somebody is. */
export type Presence = Omit<PresenceRow, 'seenAt'>

/** Who is in an entry, and in which field. */
export type PersonInEntry = Pick<PresenceRow, 'userId' | 'username' | 'field'>

/** The rows of `svc_presence`. */
export interface PresenceStore {
  /**
   * Keeps where somebody is; answers where they were, undefined if nowhere.
   * @throws AppError 429
   */
  put(presence: Presence): Promise<Presence | undefined>
  /** Answers where they were. */
  remove(userId: number, stream: string): Promise<Presence | undefined>
  /** Everybody who has been heard of lately. */
  all(): Promise<readonly PresenceRow[]>
  inEntry(type: string, entryId: number): Promise<readonly PersonInEntry[]>
  removeExpired(): Promise<void>
}

export function createPresenceStore(database: Database): PresenceStore {
  const queries = presenceQueries(database)
  const freshFrom = () => new Date(Date.now() - freshMs).toISOString()

  async function insert(row: PresenceRow): Promise<void> {
    const { total } = (await queries.count.get({ userId: row.userId })) ?? { total: 0 }
    if (total >= maxOfUser) throw new AppError('RATE_LIMITED', 'you are in too many entries at once')
    try {
      await queries.insert.run(row)
    } catch (error) {
      // Another request of the same panel was faster.
      if (!isUniqueViolation(error)) throw error
      await queries.update.run(row)
    }
  }

  return {
    async put(presence) {
      const row = { ...presence, seenAt: new Date().toISOString() }
      // Most announcements only say that somebody is still there.
      const { changes } = await queries.touch.run({ ...row, knownField: row.field ?? '' })
      if (changes > 0) return presence
      const before = await queries.find.get(presence)
      if (before === undefined) await insert(row)
      else await queries.update.run(row)
      return before
    },
    async remove(userId, stream) {
      const before = await queries.find.get({ userId, stream })
      if (before !== undefined) await queries.remove.run({ userId, stream })
      return before
    },
    all: () => queries.all.all({ from: freshFrom() }),
    inEntry: (type, entryId) => queries.inEntry.all({ type, entryId, from: freshFrom() }),
    async removeExpired() {
      await queries.removeExpired.run({ from: freshFrom() })
    },
  }
}

function presenceQueries(database: Database) {
  const presence = presenceTable.on(database)
  const { userId, stream, type, entryId, field, seenAt, username } = presenceTable.columns
  const person = presenceTable.pick('userId', 'username', 'field')
  return {
    find: presence.find(['userId', 'stream']),
    count: presence.count(['userId']),
    touch: presence.update(
      ['seenAt'],
      (value) =>
        sql`${userId} = ${value(userId)} and ${stream} = ${value(stream)} and ${type} = ${value(type)}
          and ${entryId} = ${value(entryId)} and coalesce(${field}, '') = ${value('knownField', 'string')}`,
    ),
    insert: presence.insert(),
    update: presence.update(['username', 'type', 'entryId', 'field', 'seenAt'], ['userId', 'stream']),
    remove: presence.delete(['userId', 'stream']),
    all: presence.find((value) => sql`${seenAt} > ${value(seenAt, 'from')}`, {
      orderBy: sql`${seenAt} desc`,
      limit: maxRead,
    }),
    // Somebody may be in it by many tabs.
    inEntry: query(
      database,
      (value) =>
        sql`select distinct ${selectList(database, person)} from ${presenceTable}
          where ${type} = ${value(type)} and ${entryId} = ${value(entryId)} and ${seenAt} > ${value(seenAt, 'from')}
          order by ${username} limit 200`,
      person,
    ),
    removeExpired: presence.delete((value) => sql`${seenAt} <= ${value(seenAt, 'from')}`),
  }
}

/** Somebody who is in an entry. */
export interface PresentPerson {
  readonly id: number
  readonly username: string
  /** The path of the field that they are in. */
  readonly field: string | null
}

/** Most people that are named. */
const maxNamed = 50

/** Those in an entry except one, each once: somebody may have it open in several tabs. */
export function peopleIn(rows: readonly PersonInEntry[], exceptUserId: number): readonly PresentPerson[] {
  const people = new Map<number, PresentPerson>()
  for (const { userId: id, username, field } of rows) {
    if (id === exceptUserId) continue
    const known = people.get(id)
    people.set(id, { id, username, field: known?.field ?? field })
  }
  return [...people.values()].sort((left, right) => left.id - right.id).slice(0, maxNamed)
}
