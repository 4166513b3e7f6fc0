import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  query,
  selectList,
  type TableSpec,
  type Transaction,
} from '../../database/database.ts'

/**
 * Files that are written to the storage before the record that names them: what is in here for long belongs to an
 * upload that has died. So no file is lost sight of, and nobody has to list a bucket to find those without a record.
 */
export const pendingFilesTable: TableSpec = {
  name: 'svc_media_pending_files',
  columns: [
    { name: 'file_key', kind: 'string', length: 100 },
    { name: 'created_at', kind: 'datetime' },
  ],
  primaryKey: ['file_key'],
  indexes: [{ columns: ['created_at'], type: 'index' }],
}

const columns = {
  key: { column: 'file_key', kind: 'string' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns

export interface PendingFiles {
  /** In a transaction of its own: before the first byte goes to the storage. */
  announce(keys: readonly string[]): Promise<void>
  /** Tells how many of them were still pending. */
  settle(keys: readonly string[], tx: Transaction): Promise<number>
  /** Locks files that have been pending since before a moment, a limited number of them. */
  findOlder(than: string, tx: Transaction): Promise<string[]>
}

const mostAtOnce = 200

export function createPendingFiles(database: Database): PendingFiles {
  const table = sql.identifier(pendingFilesTable.name)
  const insertion = query(
    database,
    (value) =>
      sql`insert into ${table} (file_key, created_at) values (${value('key', 'string')}, ${value('createdAt', 'datetime')})`,
  )
  const removal = query(
    database,
    (_, inList) => sql`delete from ${table} where ${inList(sql`file_key`, 'keys', 'string')}`,
  )
  const older = query<{ key: string }>(
    database,
    (value) => sql`select ${selectList(database, columns)} from ${table}
      where created_at < ${value('than', 'datetime')} order by created_at limit ${sql.raw(String(mostAtOnce))}
      ${database.dialect.forUpdate}`,
    columns,
  )
  return {
    async announce(keys) {
      const createdAt = new Date().toISOString()
      await database.transaction(async (tx) => {
        for (const key of keys) await insertion.run({ key, createdAt }, tx)
      })
    },
    settle: async (keys, tx) => (await removal.run({ keys }, tx)).changes,
    findOlder: async (than, tx) => (await older.all({ than }, tx)).map(({ key }) => key),
  }
}
