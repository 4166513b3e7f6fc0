import { sql } from 'drizzle-orm'
import { type Database, query } from '../../database/database.ts'

/** Finds what files were called by whoever uploaded them, by their key. */
export function createOriginalNames(database: Database): (key: string) => Promise<string | undefined> {
  const selection = query<{ name: string }>(
    database,
    (value) => sql`select original_name as name from svc_media where filename = ${value('key', 'string')}`,
    { name: { column: 'original_name', kind: 'string' } },
  )
  return async (key) => (await selection.get({ key }))?.name
}
