import { sql } from 'drizzle-orm'
import { type Database, query, type SchemaRecord } from '../database/database.ts'
import type { ContentType } from './content-type.ts'
import type { Schemas } from './schemas-service.ts'

/**
 * The types whose files no longer enable `draftAndPublish`, while they have entries that are not published.
 * Those must not become public by accident, so the option stays on until a person decides about them.
 */
export async function findEndingDrafts(
  { types }: Schemas,
  database: Database,
  record: SchemaRecord,
): Promise<ReadonlySet<string>> {
  const ending = new Set<string>()
  for (const type of types.values()) {
    if (type.options.draftAndPublish || !(await record.declared(type.table, 'published_at'))) continue
    if (await hasUnpublished(type, database)) ending.add(type.name)
  }
  return ending
}

async function hasUnpublished({ table, options }: ContentType, database: Database): Promise<boolean> {
  const isThere = options.softDelete ? sql`deleted_at is null` : sql`1 = 1`
  const found = await query(
    database,
    (value) => sql`select 1 as found from ${sql.identifier(table)} where ${isThere}
      and (published_at is null or published_at > ${value('now', 'datetime')}) limit 1`,
  ).get({ now: new Date().toISOString() })
  return found !== undefined
}
