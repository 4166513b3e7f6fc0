import { type SQL, sql } from 'drizzle-orm'
import { type Database, query, type SchemaRecord } from '../../database/database.ts'
import { columnOf } from '../column.ts'
import type { ContentType } from '../content-type.ts'

/** Drafts of a type that lack required values. */
export interface IncompleteDrafts {
  readonly type: string
  /** The number as far as columns show it: texts that are too short and incomplete components are not counted. */
  readonly count: number
}

/** Counts the incomplete drafts of types, with one statement per type; types without any are left out. */
export async function findIncompleteDrafts(
  types: Iterable<ContentType>,
  database: Database,
  record: SchemaRecord,
): Promise<readonly IncompleteDrafts[]> {
  const found: IncompleteDrafts[] = []
  for (const type of types) {
    if (!type.options.draftAndPublish || !(await record.declared(type.table, 'published_at'))) continue
    const lacks = await lacksRequired(type, record)
    const count = lacks === undefined ? 0 : await countDrafts(type, lacks, database)
    if (count > 0) found.push({ type: type.name, count })
  }
  return found
}

/** Undefined if no column can show it. A condition may waive `required`. */
async function lacksRequired({ attributes, table }: ContentType, record: SchemaRecord) {
  const parts: SQL[] = []
  for (const attribute of attributes.values()) {
    const column = attribute.required && attribute.condition === undefined ? columnOf(attribute) : undefined
    if (column === undefined || !(await record.declared(table, column.name))) continue
    parts.push(sql`${sql.identifier(column.name)} is null`)
  }
  return parts.length === 0 ? undefined : sql.join(parts, sql` or `)
}

async function countDrafts({ table, options }: ContentType, lacks: SQL, database: Database): Promise<number> {
  const isThere = options.softDelete ? sql`deleted_at is null` : sql`1 = 1`
  const counted = await query<{ total: number }>(
    database,
    () => sql`select count(*) as total from ${sql.identifier(table)}
      where ${isThere} and published_at is null and (${lacks})`,
    { total: { column: 'total', kind: 'integer' } },
  ).get({})
  return counted?.total ?? 0
}

/** The message about incomplete drafts, the same in all places. */
export function incompleteDraftsText({ count }: Pick<IncompleteDrafts, 'count'>): string {
  return count === 1 ? '1 draft lacks what is required' : `${count} drafts lack what is required`
}
