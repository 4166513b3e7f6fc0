import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type BetterSqlite from 'better-sqlite3'

/** A database in a temporary file for what is read of another system, since it may be more than the memory holds. */
export interface TemporaryDatabase {
  readonly database: BetterSqlite.Database
  close(): Promise<void>
}

/** Only imports from other systems need a database of their own here. */
export async function openTemporaryDatabase(tables: string): Promise<TemporaryDatabase> {
  const { default: Sqlite } = await import('better-sqlite3')
  const folder = await mkdtemp(join(tmpdir(), 'mortise-import-'))
  const database = new Sqlite(join(folder, 'index.db'))
  // It is thrown away with the process.
  database.pragma('journal_mode = off')
  database.pragma('synchronous = off')
  database.exec(tables)
  return {
    database,
    async close() {
      database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
