import { type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  type InList,
  query,
  type Value,
} from '../../../foundation/database/database.ts'

export const documentsTable = 'svc_search_documents'

/** The columns that the table has for every engine. */
export const documentColumns: Columns = {
  type: { column: 'type', kind: 'string' },
  entryId: { column: 'entry_id', kind: 'integer' },
  locale: { column: 'locale', kind: 'string' },
  publishedAt: { column: 'published_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
  format: { column: 'format', kind: 'integer' },
}

/** True for the documents of `entryIds` of `type`. */
export function isNamed(value: Value, inList: InList): SQL {
  return sql`type = ${value('type', 'string')} and ${inList(sql`entry_id`, 'entryIds', 'id')}`
}

/** Removes the documents of `entryIds` of `type`. */
export function removal(database: Database) {
  return query(
    database,
    (value, inList) => sql`delete from ${sql.identifier(documentsTable)} where ${isNamed(value, inList)}`,
  )
}
