import { sql } from 'drizzle-orm'
import { column } from '../tables/column.ts'
import { query } from './query.ts'
import type { QueryTarget } from './query-target.ts'

/** Limit for one statement: SQLite accepts at most 500 parts of a union. */
const mostAtOnce = 100

/** Returns those tables that have no rows. */
export async function emptyTables(
  database: QueryTarget,
  tables: readonly string[],
): Promise<ReadonlySet<string>> {
  const empty = new Set(tables)
  for (let from = 0; from < tables.length; from += mostAtOnce) {
    const parts = tables.slice(from, from + mostAtOnce).map(
      (table, index) =>
        sql`select place from (select ${sql.raw(String(from + index))} as place from ${sql.identifier(table)} limit 1)
          as ${sql.identifier(`t${index}`)}`,
    )
    const filled = query(database, () => sql.join(parts, sql` union all `), { place: column.integer() })
    for (const { place } of await filled.all()) empty.delete(tables[place] ?? '')
  }
  return empty
}

/** Whether all of the tables are empty. */
export const areEmptyTables = async (database: QueryTarget, tables: readonly string[]): Promise<boolean> =>
  (await emptyTables(database, tables)).size === new Set(tables).size
