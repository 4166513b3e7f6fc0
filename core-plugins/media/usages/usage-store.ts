import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  type InList,
  insertMany,
  type Queries,
  query,
  selectList,
  type TableSpec,
  type Transaction,
  type Value,
} from '../../database/database.ts'

/** Which entry names which file where; kept in the transaction of every write of an entry. */
export const usagesTable: TableSpec = {
  name: 'svc_media_usages',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'media_id', kind: 'reference' },
    { name: 'type', kind: 'string', length: 100 },
    { name: 'entry_id', kind: 'integer' },
    { name: 'field', kind: 'string' },
    // In the draft beside the entry, and not in the entry itself.
    { name: 'is_draft', kind: 'boolean', default: false },
  ],
  indexes: [
    { columns: ['media_id', 'type', 'entry_id'], type: 'index' },
    { columns: ['type', 'entry_id'], type: 'index' },
  ],
  // A write that names a file and the removal of that file wait for each other by this.
  references: [{ column: 'media_id', table: 'svc_media', onDelete: 'cascade' }],
}

export interface Usage {
  readonly mediaId: number
  readonly type: string
  readonly entryId: number
  readonly field: string
  readonly isDraft: boolean
}

/** Which usages are listed. */
export interface ListedUsages {
  readonly mediaId: number
  /** Types whose drafts beside entries count. */
  readonly draftTypes: readonly string[]
}

export interface EntryUsages {
  readonly type: string
  readonly entryId: number
  readonly usages: readonly Pick<Usage, 'mediaId' | 'field' | 'isDraft'>[]
}

export interface UsageStore {
  /** Of one file, by type, entry and field. */
  list(usages: ListedUsages & { readonly limit: number; readonly offset: number }): Promise<Usage[]>
  count(usages: ListedUsages): Promise<number>
  /** Locked, by type and entry. */
  ofMany(mediaIds: readonly number[], tx: Transaction): Promise<Usage[]>
  /** @throws DatabaseError of kind `reference` if one of the files is gone */
  insert(entries: readonly EntryUsages[], tx: Transaction): Promise<void>
  removeEntries(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
  /** Of the entries of a type whose ids are above `after` and at most `last`. */
  removeRange(range: { type: string; after: number; last: number }, tx: Transaction): Promise<void>
  /** The types that there are usages of. */
  types(): Promise<string[]>
  /** The media types of files, by id; those that are gone are not in it. */
  mediaTypes(ids: readonly number[], on: Queries): Promise<ReadonlyMap<number, string>>
}

const columns = {
  mediaId: { column: 'media_id', kind: 'reference' },
  type: { column: 'type', kind: 'string' },
  entryId: { column: 'entry_id', kind: 'integer' },
  field: { column: 'field', kind: 'string' },
  isDraft: { column: 'is_draft', kind: 'boolean' },
} as const satisfies Columns

const maxFieldLength = 255

export function createUsageStore(database: Database): UsageStore {
  const queries = usageQueries(database)
  const insertRows = insertMany<Usage>(database, { table: usagesTable.name, columns })
  return {
    list: (usages) => queries.list.all({ ...usages, no: false }),
    count: async (usages) => (await queries.count.get({ ...usages, no: false }))?.total ?? 0,
    ofMany: (mediaIds, tx) => queries.ofMany.all({ mediaIds }, tx),
    async insert(entries, tx) {
      const rows = entries.flatMap(({ type, entryId, usages }) =>
        distinct(usages).map(({ mediaId, field, isDraft }) => ({
          ...{ mediaId, type, entryId, isDraft },
          field: shorten(field),
        })),
      )
      await insertRows(rows, tx)
    },
    async removeEntries(type, entryIds, tx) {
      await queries.removeEntries.run({ type, entryIds }, tx)
    },
    async removeRange(range, tx) {
      await queries.removeRange.run(range, tx)
    },
    types: async () => (await queries.types.all()).map(({ type }) => type),
    async mediaTypes(ids, on) {
      const rows = await queries.mediaTypes.all({ ids: [...new Set(ids)] }, on)
      return new Map(rows.map(({ id, mimeType }) => [id, mimeType]))
    },
  }
}

function usageQueries(database: Database) {
  const { dialect } = database
  const table = sql.identifier(usagesTable.name)
  const select = sql`select ${selectList(database, columns)} from ${table}`
  const total = { total: { column: 'total', kind: 'integer' } } as const
  const media = {
    id: { column: 'id', kind: 'id' },
    mimeType: { column: 'mime_type', kind: 'string' },
  } as const satisfies Columns
  const listed = (value: Value, inList: InList) => sql`media_id = ${value('mediaId', 'reference')}
    and (is_draft = ${value('no', 'boolean')} or ${inList(sql`type`, 'draftTypes', 'string')})`
  return {
    list: query<Usage>(
      database,
      (value, inList) => sql`${select} where ${listed(value, inList)}
        order by type, entry_id, field
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      columns,
    ),
    count: query<{ total: number }>(
      database,
      (value, inList) => sql`select count(*) as total from ${table} where ${listed(value, inList)}`,
      total,
    ),
    ofMany: query<Usage>(
      database,
      (_, inList) => sql`${select} where ${inList(sql`media_id`, 'mediaIds', 'reference')}
        order by type, entry_id ${dialect.forUpdate}`,
      columns,
    ),
    removeEntries: query(
      database,
      (value, inList) => sql`delete from ${table}
        where type = ${value('type', 'string')} and ${inList(sql`entry_id`, 'entryIds', 'integer')}`,
    ),
    removeRange: query(
      database,
      (value) => sql`delete from ${table} where type = ${value('type', 'string')}
        and entry_id > ${value('after', 'integer')} and entry_id <= ${value('last', 'integer')}`,
    ),
    types: query<{ type: string }>(
      database,
      () => sql`select distinct type as ${sql.identifier('type')} from ${table}`,
      { type: columns.type },
    ),
    mediaTypes: query<{ id: number; mimeType: string }>(
      database,
      (_, inList) =>
        sql`select ${selectList(database, media)} from svc_media where ${inList(sql`id`, 'ids', 'id')}`,
      media,
    ),
  }
}

/** A file may be named several times in one field, and in the draft as in the entry. */
function distinct(usages: EntryUsages['usages']): EntryUsages['usages'] {
  const sorted = [...usages].sort((left, right) => Number(right.isDraft) - Number(left.isDraft))
  return [...new Map(sorted.map((usage) => [`${usage.mediaId} ${usage.field}`, usage])).values()]
}

/** Components that hold themselves may be nested deeper than a column is wide. */
function shorten(field: string): string {
  if (field.length <= maxFieldLength) return field
  const hash = createHash('sha256').update(field).digest('hex').slice(0, 16)
  return `${field.slice(0, maxFieldLength - hash.length - 1)}~${hash}`
}
