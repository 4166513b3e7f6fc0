import { sql } from 'drizzle-orm'
import { query } from './query.ts'
import type { QueryTarget } from './query-target.ts'

/** Whether a table has no rows. */
export async function isEmptyTable(database: QueryTarget, table: string): Promise<boolean> {
  const first = query(database, () => sql`select 1 from ${sql.identifier(table)} limit 1`)
  return (await first.get()) === undefined
}
