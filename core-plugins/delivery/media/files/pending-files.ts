import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  defineTable,
  type Transaction,
} from '../../../foundation/database/database.ts'

/**
 * Files that are written to the storage before their record exists; an old row belongs to an upload that failed. This makes it
 * unnecessary to list a bucket to find files without a record.
 */
export const pendingFilesTable = defineTable(
  'svc_media_pending_files',
  { key: column.string(100).named('file_key'), createdAt: column.datetime() },
  { primaryKey: ['key'], indexes: [{ columns: ['createdAt'], type: 'index' }] },
)

export interface PendingFiles {
  /**
   * Runs in its own transaction, before the first byte is written to the storage. For keys that are already pending, the time
   * starts again, since a resumed restore announces the same keys.
   */
  announce(keys: readonly string[]): Promise<void>
  /** Removes the keys and returns how many of them were still pending. */
  settle(keys: readonly string[], tx: Transaction): Promise<number>
  /** Locks files that have been pending since before a given time, up to a limit. */
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
