import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  query,
  selectList,
  type Transaction,
} from '../../foundation/database/database.ts'
import type { NotificationPreferences } from './notifications.ts'
import { nextDigest, noPreferences, sectionsBy } from './preferences.ts'
import { type PreferencesRow, preferencesTable } from './tables.ts'

/** An admin user with preferences. */
export interface Recipient extends NotificationPreferences {
  readonly userId: number
  readonly email: string
  readonly digestUntil: string
}

/** The rows of `svc_notification_preferences`. */
export interface PreferenceStore {
  /** The preferences of an admin user; defaults if the user has none. */
  find(userId: number): Promise<NotificationPreferences>
  change(userId: number, change: Partial<NotificationPreferences>): Promise<NotificationPreferences>
  recipient(userId: number): Promise<Recipient | undefined>
  /** Locks the rows of users whose digest is due, the longest overdue first; at most `portion`. */
  lockDue(now: string, tx: Transaction): Promise<readonly PreferencesRow[]>
  postpone(ids: readonly number[], digestDueAt: string | null, tx: Transaction): Promise<void>
  /** Returns false if a digest has already covered as much. */
  noteDigest(userId: number, digestUntil: string, tx: Transaction): Promise<boolean>
  /** Locks the rows of these users, as far as they exist. */
  lock(userIds: readonly number[], tx: Transaction): Promise<readonly PreferencesRow[]>
  planSending(userIds: readonly number[], tx: Transaction): Promise<void>
  /** Marks the start of a sending: items recorded from now on plan another one. */
  beginSending(userId: number): Promise<void>
}

/** The maximum number of digests that become due together. */
export const portion = 200

export function createPreferenceStore(database: Database): PreferenceStore {
  const queries = preferenceQueries(database)

  async function lockOrMake(userId: number, tx: Transaction): Promise<PreferencesRow> {
    const [found] = await queries.lock.all({ userIds: [userId] }, tx)
    if (found !== undefined) return found
    await queries.insert.run({ userId, ...unasked() }, tx)
    return lockOrMake(userId, tx)
  }

  return {
    find: async (userId) => (await queries.find.get({ userId })) ?? noPreferences,
    change: (userId, change) =>
      database.transaction(async (tx) => {
        const changed = changedBy(await lockOrMake(userId, tx), change, new Date())
        await queries.update.run(changed, tx)
        return changed
      }),
    recipient: (userId) => queries.recipient.get({ userId }),
    lockDue: (digestDueAt, tx) => queries.lockDue.all({ digestDueAt }, tx),
    async postpone(ids, digestDueAt, tx) {
      await queries.postpone.run({ ids, digestDueAt }, tx)
    },
    noteDigest: async (userId, digestUntil, tx) =>
      (await queries.noteDigest.run({ userId, digestUntil }, tx)).changes > 0,
    lock: (userIds, tx) => queries.lock.all({ userIds }, tx),
    async planSending(userIds, tx) {
      await queries.planSending.run({ userIds, isSendPlanned: true }, tx)
    },
    async beginSending(userId) {
      const sentAt = new Date().toISOString()
      await queries.beginSending.run({ userId, isSendPlanned: false, sentAt })
    },
  }
}

const unasked = () => ({
  ...noPreferences,
  digestDueAt: null,
  digestUntil: new Date().toISOString(),
  isSendPlanned: false,
  sentAt: null,
})

/** A first digest covers news from now on. A planned sending that got lost is no longer waited for. */
function changedBy(row: PreferencesRow, change: Partial<NotificationPreferences>, now: Date): PreferencesRow {
  const sections = { ...row.sections, ...change.sections }
  const preferences = { ...row, ...change, sections }
  const hadDigest = sectionsBy('digest', row).size > 0
  return {
    ...preferences,
    digestDueAt: nextDigest(preferences, now),
    digestUntil: hadDigest ? row.digestUntil : now.toISOString(),
    isSendPlanned: false,
  }
}

function preferenceQueries(database: Database) {
  const preferences = preferencesTable.on(database)
  const { id, userId, digestDueAt, digestUntil } = preferencesTable.columns
  const chosen = ['sections', 'frequency', 'weekday', 'hour', 'timeZone', 'language'] as const
  return {
    find: preferences.find(['userId'], { pick: chosen }),
    insert: preferences.insert({ ignoreDuplicates: true }),
    update: preferences.update([...chosen, 'digestDueAt', 'digestUntil', 'isSendPlanned'], ['userId']),
    recipient: recipientQuery(database),
    lock: preferences.find((_, inList) => inList(userId, 'userIds'), { lock: true, orderBy: sql`${userId}` }),
    lockDue: preferences.find((value) => sql`${digestDueAt} <= ${value(digestDueAt)}`, {
      ...{ orderBy: sql`${digestDueAt}`, limit: portion, lock: true },
    }),
    postpone: preferences.update(['digestDueAt'], (_, inList) => inList(id, 'ids')),
    noteDigest: preferences.update(
      ['digestUntil'],
      (value) => sql`${userId} = ${value(userId)} and ${digestUntil} < ${value(digestUntil)}`,
    ),
    planSending: preferences.update(['isSendPlanned'], (_, inList) => inList(userId, 'userIds')),
    beginSending: preferences.update(['isSendPlanned', 'sentAt'], ['userId']),
  }
}

function recipientQuery(database: Database) {
  const wanted = preferencesTable.as('p')
  const columns = {
    ...wanted.pick(
      'userId',
      'sections',
      'frequency',
      'weekday',
      'hour',
      'timeZone',
      'language',
      'digestUntil',
    ),
    email: { column: 'email', kind: 'string' },
  } as const satisfies Columns
  return query<Recipient>(
    database,
    (value) => sql`select ${selectList(database, columns)}
      from ${wanted} join ${sql.identifier('svc_admin_users')} u on u.id = ${wanted.columns.userId}
      where ${wanted.columns.userId} = ${value('userId', 'integer')}`,
    columns,
  )
}
