import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  defineTable,
  type NewRowOf,
  type Queries,
  query,
  type Transaction,
} from '../../database/database.ts'
import { mediaTable } from '../system-tables.ts'

/** Which entry refers to which file, and where; updated in the transaction of every write of an entry. */
export const usagesTable = defineTable(
  'svc_media_usages',
  {
    id: column.id(),
    // Makes a write that refers to a file and the removal of that file wait for each other.
    mediaId: column.reference('svc_media', 'cascade'),
    type: column.string(100),
    entryId: column.integer(),
    field: column.string(),
    // In the pending draft, and not in the entry itself.
    isDraft: column.boolean().default(false),
  },
  {
    indexes: [
      { columns: ['mediaId', 'type', 'entryId'], type: 'index' },
      { columns: ['type', 'entryId'], type: 'index' },
    ],
  },
)

export type Usage = NewRowOf<typeof usagesTable>

export interface EntryUsages {
  readonly type: string
  readonly entryId: number
  readonly usages: readonly Pick<Usage, 'mediaId' | 'field' | 'isDraft'>[]
}

export interface UsageStore {
  /** Locked, by type and entry. */
  ofMany(mediaIds: readonly number[], tx: Transaction): Promise<Usage[]>
  /** @throws DatabaseError of kind `reference` if one of the files is gone */
  insert(entries: readonly EntryUsages[], tx: Transaction): Promise<void>
  removeEntries(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
  /** Of the entries of a type whose ids are above `after` and at most `last`. */
  removeRange(range: { type: string; after: number; last: number }, tx: Transaction): Promise<void>
  /** The types that have usages. */
  types(): Promise<string[]>
  /** The media types of files, by id, without files that no longer exist. */
  mediaTypes(ids: readonly number[], on: Queries): Promise<ReadonlyMap<number, string>>
}

const maxFieldLength = 255

export function createUsageStore(database: Database): UsageStore {
  const queries = usageQueries(database)
  return {
    ofMany: (mediaIds, tx) => queries.ofMany.all({ mediaIds }, tx),
    async insert(entries, tx) {
      const rows = entries.flatMap(({ type, entryId, usages }) =>
        distinct(usages).map(({ mediaId, field, isDraft }) => ({
          ...{ mediaId, type, entryId, isDraft },
          field: shorten(field),
        })),
      )
      await queries.insert(rows, tx)
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
  const usages = usagesTable.on(database)
  const { mediaId, type, entryId } = usagesTable.columns
  const pick = usagesTable.except('id')
  return {
    insert: usages.insertMany(),
    ofMany: usages.find((_, inList) => inList(mediaId, 'mediaIds'), {
      pick,
      orderBy: sql`${type}, ${entryId}`,
      lock: true,
    }),
    removeEntries: usages.delete(
      (value, inList) => sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`,
    ),
    removeRange: usages.delete(
      (value) => sql`${type} = ${value(type)} and ${entryId} > ${value(entryId, 'after')}
        and ${entryId} <= ${value(entryId, 'last')}`,
    ),
    types: query(database, () => sql`select distinct ${type} from ${usagesTable}`, { type }),
    mediaTypes: mediaTable
      .on(database)
      .find((_, inList) => inList(mediaTable.columns.id, 'ids'), { pick: ['id', 'mimeType'] }),
  }
}

/** A field may refer to a file several times, in the entry and in its draft. */
function distinct(usages: EntryUsages['usages']): EntryUsages['usages'] {
  const sorted = [...usages].sort((left, right) => Number(right.isDraft) - Number(left.isDraft))
  return [...new Map(sorted.map((usage) => [`${usage.mediaId} ${usage.field}`, usage])).values()]
}

/** The path of a deeply nested component may be longer than the column. */
function shorten(field: string): string {
  if (field.length <= maxFieldLength) return field
  const hash = createHash('sha256').update(field).digest('hex').slice(0, 16)
  return `${field.slice(0, maxFieldLength - hash.length - 1)}~${hash}`
}
