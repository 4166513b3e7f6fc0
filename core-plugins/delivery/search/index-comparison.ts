import { sql } from 'drizzle-orm'
import { column, type Database, type Queries, query } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { documentFormat } from './engines/document-row.ts'

/** The entries or documents of a type with ids above `after` and up to `last`. */
export interface IdRange {
  readonly after: number
  readonly last: number
}

/** After all entries. */
export const endOfIds: number = Number.MAX_SAFE_INTEGER

/** The documents of a type; `type` is undefined if the type no longer exists. */
export interface DocumentsOf {
  readonly name: string
  readonly type: ContentType | undefined
}

/** Compares documents with their entries in ranges, so that no statement takes long. */
export interface IndexComparison {
  /**
   * Compares up to `items` entries after an id. `isCurrent`: each of those up to `last` has a document in the present format
   * and for its present version, and there are no other documents.
   */
  compare(type: ContentType, from: { after: number; items: number }): Promise<ComparedRange>
  /** Examines up to `items` documents of a range; `orphans` are the ids of those whose entries do not exist. */
  orphans(
    documents: DocumentsOf,
    range: IdRange & { items: number },
    on?: Queries,
  ): Promise<{ readonly orphans: readonly number[]; readonly last: number }>
}

interface ComparedRange {
  readonly last: number
  readonly isCurrent: boolean
}

export function createIndexComparison(database: Database, documentsTable: string): IndexComparison {
  const documents = sql.identifier(documentsTable)
  const countDocuments = query(
    database,
    (value) => sql`select count(*) as ${sql.identifier('count')} from ${documents}
      where type = ${value('type', 'string')} and entry_id > ${value('after', 'id')} and entry_id <= ${value('last', 'id')}`,
    { count: column.integer() },
  )
  return {
    async compare(type, { after, items }) {
      const found = await entriesQuery(database, documentsTable, type).get({ type: type.name, after, items })
      const { entries, current, newest } = found ?? { entries: 0, current: 0, newest: null }
      const last = entries < items ? endOfIds : (newest ?? endOfIds)
      if (entries !== (current ?? 0)) return { last, isCurrent: false }
      const count = (await countDocuments.get({ type: type.name, after, last }))?.count
      return { last, isCurrent: count === entries }
    },
    async orphans({ name, type }, { after, last, items }, on = database) {
      const rows = await documentsQuery(database, documentsTable, type).all({ name, after, last, items }, on)
      return {
        orphans: rows.filter(({ entry }) => entry === null).map(({ entryId }) => entryId),
        last: rows.length < items ? last : (rows.at(-1)?.entryId ?? last),
      }
    },
  }
}

function entriesQuery(database: Database, documentsTable: string, { table, options }: ContentType) {
  const present = options.softDelete ? sql` and deleted_at is null` : sql``
  return query(
    database,
    (value) => sql`select count(*) as ${sql.identifier('entries')}, max(t.id) as ${sql.identifier('newest')},
      sum(case when d.format = ${sql.raw(String(documentFormat))} and d.updated_at = t.updated_at then 1 else 0 end)
        as ${sql.identifier('current')}
      from (select id, updated_at from ${sql.identifier(table)} where id > ${value('after', 'id')}${present}
        order by id limit ${value('items', 'integer')}) t
      left join ${sql.identifier(documentsTable)} d on d.type = ${value('type', 'string')} and d.entry_id = t.id`,
    {
      entries: column.integer(),
      newest: column.integer().nullable(),
      current: column.integer().nullable(),
    },
  )
}

function documentsQuery(database: Database, documentsTable: string, type: ContentType | undefined) {
  const present = type?.options.softDelete === true ? sql` and t.deleted_at is null` : sql``
  const [entry, joined] =
    type === undefined
      ? [sql`null`, sql``]
      : [sql`t.id`, sql` left join ${sql.identifier(type.table)} t on t.id = d.entry_id${present}`]
  return query(
    database,
    (value) => sql`select d.entry_id as ${sql.identifier('entryId')}, ${entry} as ${sql.identifier('entry')}
      from ${sql.identifier(documentsTable)} d${joined}
      where d.type = ${value('name', 'string')} and d.entry_id > ${value('after', 'id')} and d.entry_id <= ${value('last', 'id')}
      order by d.entry_id limit ${value('items', 'integer')}`,
    { entryId: column.integer(), entry: column.integer().nullable() },
  )
}
