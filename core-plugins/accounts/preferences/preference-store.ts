import { createKeyedMailbox } from '../../../kernel/index.ts'
import { type Database, isUniqueViolation } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { preferencesTable } from './tables.ts'

/** The maximum number of preferences per admin user. */
export const maxPreferences = 200

/** The private preferences of admin users, as JSON by key. */
export interface PreferenceStore {
  /** Undefined if the preference does not exist. */
  find(userId: number, name: string): Promise<unknown>
  /** @throws AppError 409 if the user has `maxPreferences` others */
  put(userId: number, name: string, value: unknown): Promise<void>
  /** Returns whether the preference existed. */
  remove(userId: number, name: string): Promise<boolean>
}

export function createPreferenceStore(database: Database): PreferenceStore {
  const preferences = preferencesTable.on(database)
  const queries = {
    find: preferences.find(['userId', 'name'], { pick: ['value'] }),
    count: preferences.count(['userId']),
    insert: preferences.insert(),
    update: preferences.update(['value', 'updatedAt'], ['userId', 'name']),
    remove: preferences.delete(['userId', 'name']),
  }
  // In sequence per user, so that concurrent requests cannot exceed the limit together.
  const writes = createKeyedMailbox()

  async function put(userId: number, name: string, value: unknown) {
    const row = { userId, name, value: JSON.stringify(value), updatedAt: new Date().toISOString() }
    // MySQL reports an update without changes as no affected rows, so existence is checked separately.
    if ((await queries.find.get({ userId, name })) !== undefined) return void (await queries.update.run(row))
    const { total } = (await queries.count.get({ userId })) ?? { total: 0 }
    if (total >= maxPreferences) {
      throw new AppError('CONFLICT', `there are ${maxPreferences} preferences already; delete one first`)
    }
    try {
      await queries.insert.run(row)
    } catch (error) {
      // Another process has inserted it in the meantime.
      if (!isUniqueViolation(error)) throw error
      await queries.update.run(row)
    }
  }

  return {
    async find(userId, name) {
      const row = await queries.find.get({ userId, name })
      return row === undefined ? undefined : JSON.parse(row.value)
    },
    put: (userId, name, value) => writes.run(String(userId), () => put(userId, name, value)),
    async remove(userId, name) {
      return (await queries.remove.run({ userId, name })).changes > 0
    },
  }
}
