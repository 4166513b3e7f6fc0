import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  defineTable,
  type Transaction,
} from '../../../foundation/database/database.ts'

/**
 * Files that are written to the storage before the record that refers to them: an old row here belongs to an
 * upload that died. So every file is tracked, and no bucket has to be listed to find those without a record.
 */
export const pendingFilesTable = defineTable(
  'svc_media_pending_files',
  { key: column.string(100).named('file_key'), createdAt: column.datetime() },
  { primaryKey: ['key'], indexes: [{ columns: ['createdAt'], type: 'index' }] },
)

export interface PendingFiles {
  /**
   * In a transaction of its own: before the first byte goes to the storage. Keys that are pending already start
   * anew: a restore that is resumed announces the same ones.
   */
  announce(keys: readonly string[]): Promise<void>
  /** Returns how many of them were still pending. */
  settle(keys: readonly string[], tx: Transaction): Promise<number>
  /** Locks files pending since before a given time, a limited number of them. */
  findOlder(than: string, tx: Transaction): Promise<string[]>
}

const mostAtOnce = 200

export function createPendingFiles(database: Database): PendingFiles {
  const files = pendingFilesTable.on(database)
  const { key, createdAt } = pendingFilesTable.columns
  const insertion = files.insert()
  const removal = files.delete((_, inList) => inList(key, 'keys'))
  const older = files.find((value) => sql`${createdAt} < ${value(createdAt, 'than')}`, {
    pick: ['key'],
    orderBy: sql`${createdAt}`,
    limit: mostAtOnce,
    lock: true,
  })
  return {
    async announce(keys) {
      const createdAt = new Date().toISOString()
      await database.transaction(async (tx) => {
        await removal.run({ keys }, tx)
        for (const key of keys) await insertion.run({ key, createdAt }, tx)
      })
    },
    settle: async (keys, tx) => (await removal.run({ keys }, tx)).changes,
    findOlder: async (than, tx) => (await older.all({ than }, tx)).map(({ key }) => key),
  }
}
