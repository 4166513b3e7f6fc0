import { sql } from 'drizzle-orm'
import { type Database, isUniqueViolation, query, selectList } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type PresenceRow, presenceTable } from './tables.ts'

/** How often a panel announces its presence; people are removed after two and a half times this interval. */
export const beatSeconds = 20
const freshMs = beatSeconds * 2_500

/** The maximum number of panels with presence per admin user. */
const maxOfUser = 20
/** The maximum number of rows per read. */
const maxRead = 2_000

/** The position of a person. */
export type Presence = Omit<PresenceRow, 'seenAt'>

/** A person in an entry, and the field. */
export type PersonInEntry = Pick<PresenceRow, 'userId' | 'username' | 'field'>

/** The rows of `svc_presence`. */
export interface PresenceStore {
  /**
   * Stores a person's position; returns the previous one, if any.
   * @throws AppError 429
   */
  put(presence: Presence): Promise<Presence | undefined>
  /** Removes a person; returns their last position. */
  remove(userId: number, stream: string): Promise<Presence | undefined>
  /** All recently announced people. */
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
      // Another request of the same panel has inserted the row first.
      if (!isUniqueViolation(error)) throw error
      await queries.update.run(row)
    }
  }

  return {
    async put(presence) {
      const row = { ...presence, seenAt: new Date().toISOString() }
      // Most announcements only confirm an existing position.
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
    // A person may have it open in many tabs.
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

/** A person in an entry. */
export interface PresentPerson {
  readonly id: number
  readonly username: string
  /** The path of the field that they are in. */
  readonly field: string | null
}

/** The maximum number of people listed. */
const maxNamed = 50

/** The people in an entry except one, without duplicates: a person may have it open in several tabs. */
export function peopleIn(rows: readonly PersonInEntry[], exceptUserId: number): readonly PresentPerson[] {
  const people = new Map<number, PresentPerson>()
  for (const { userId: id, username, field } of rows) {
    if (id === exceptUserId) continue
    const known = people.get(id)
    people.set(id, { id, username, field: known?.field ?? field })
  }
  return [...people.values()].sort((left, right) => left.id - right.id).slice(0, maxNamed)
}
