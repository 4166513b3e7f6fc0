import { sql } from 'drizzle-orm'
import type { Entry } from '../../../entries/content/content.ts'
import {
  type Columns,
  type Database,
  query,
  selectList,
  type Transaction,
} from '../../../foundation/database/database.ts'
import {
  type Attribute,
  type ContentType,
  columnOf,
  hasLinkTable,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'

/** Reads some fields of all entries of a type, drafts included, deleted ones not. */
export interface EntryReader {
  /** Locks the entries after an id, in the order of their ids. */
  next(after: number, limit: number, tx: Transaction): Promise<Entry[]>
}

export function createEntryReader(
  type: ContentType,
  attributes: readonly Attribute[],
  { database, schemas }: { readonly database: Database; readonly schemas: Schemas },
): EntryReader {
  const columns = columnsOf(attributes)
  const present = type.options.softDelete ? sql`and deleted_at is null` : sql``
  const selection = query<Entry>(
    database,
    (value) => sql`select ${selectList(database, columns)} from ${sql.identifier(type.table)}
      ${database.dialect.byPrimaryKey} where id > ${value('after', 'id')} ${present} order by id
      limit ${value('limit', 'integer')} ${database.dialect.forUpdate}`,
    columns,
  )
  const links = attributes.filter(hasLinkTable).map((attribute) => ({
    name: attribute.name,
    find: linkQuery(schemas.linkTable(type, attribute).name, database),
  }))

  return {
    async next(after, limit, tx) {
      const entries = await selection.all({ after, limit }, tx)
      const ids = entries.map(({ id }) => id)
      const byId = new Map(entries.map((entry) => [entry.id, entry]))
      for (const { name, find } of links) {
        for (const entry of entries) entry[name] = []
        for (const { sourceId, targetId } of await find.all({ ids }, tx)) {
          const targets = byId.get(sourceId)?.[name] as number[] | undefined
          targets?.push(targetId)
        }
      }
      return entries
    },
  }
}

function columnsOf(attributes: readonly Attribute[]): Columns {
  const columns = attributes.flatMap((attribute) => {
    const column = columnOf(attribute)
    return column === undefined ? [] : [[attribute.name, { column: column.name, kind: column.kind }] as const]
  })
  return { id: { column: 'id', kind: 'id' }, ...Object.fromEntries(columns) }
}

function linkQuery(table: string, database: Database) {
  const columns = {
    sourceId: { column: 'source_id', kind: 'reference' },
    targetId: { column: 'target_id', kind: 'reference' },
  } as const satisfies Columns
  return query<{ sourceId: number; targetId: number }>(
    database,
    (_, inList) => sql`select ${selectList(database, columns)} from ${sql.identifier(table)}
      where ${inList(sql`source_id`, 'ids', 'reference')} order by source_id, position`,
    columns,
  )
}
