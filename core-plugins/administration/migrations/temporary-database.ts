import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type BetterSqlite from 'better-sqlite3'

/** A database in a temporary file for the content of an export, which may not fit into memory. */
export interface TemporaryDatabase {
  readonly database: BetterSqlite.Database
  close(): Promise<void>
}

/** Imports the driver on first use, because only migrations need it here. */
export async function openTemporaryDatabase(tables: string): Promise<TemporaryDatabase> {
  const { default: Sqlite } = await import('better-sqlite3')
  const folder = await mkdtemp(join(tmpdir(), 'mortise-import-'))
  const database = new Sqlite(join(folder, 'index.db'))
  // The file is deleted with the process, so a crash loses nothing.
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
