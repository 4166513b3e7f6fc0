import { sql } from 'drizzle-orm'
import { shortenField } from '../../../entries/usage-index/usage-index.ts'
import {
  column,
  type Database,
  defineTable,
  type NewRowOf,
  type Queries,
  type Transaction,
} from '../../../foundation/database/database.ts'
import { mediaTable } from '../system-tables.ts'
import { createFilesInTexts, type FilesInTexts } from './files-in-texts.ts'

/** Which entry refers to which file, and where; updated in the transaction of every write of an entry. */
export const usagesTable = defineTable(
  'svc_media_usages',
  {
    id: column.id(),
    // The reference serialises a write that refers to a file with the removal of that file.
    mediaId: column.reference('svc_media', 'cascade'),
    type: column.string(100),
    entryId: column.integer(),
    field: column.string(),
    // Whether the usage is only in the pending draft, not in the entry itself.
    isDraft: column.boolean().default(false),
    // Whether the file is named in a text, which does not change when the file is removed.
    isText: column.boolean().default(false),
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
  readonly usages: readonly Pick<Usage, 'mediaId' | 'field' | 'isDraft' | 'isText'>[]
}

export interface UsageStore extends FilesInTexts {
  /** The usages in media fields, by type and entry; the rows are locked. */
  referencesTo(mediaIds: readonly number[], tx: Transaction): Promise<Usage[]>
  /** @throws DatabaseError of kind `reference` if one of the files no longer exists */
  insert(entries: readonly EntryUsages[], tx: Transaction): Promise<void>
  /** The media types of files, by id, without files that no longer exist. */
  mediaTypes(ids: readonly number[], on: Queries): Promise<ReadonlyMap<number, string>>
}

export function createUsageStore(database: Database): UsageStore {
  const queries = usageQueries(database)
  return {
    ...createFilesInTexts(database),
    referencesTo: (mediaIds, tx) => queries.referencesTo.all({ mediaIds }, tx),
    async insert(entries, tx) {
      const rows = entries.flatMap(({ type, entryId, usages }) =>
        distinct(usages).map(({ mediaId, field, isDraft, isText }) => ({
          ...{ mediaId, type, entryId, isDraft, isText },
          field: shortenField(field),
        })),
      )
      await queries.insert(rows, tx)
    },
    async mediaTypes(ids, on) {
      if (ids.length === 0) return new Map()
      const rows = await queries.mediaTypes.all({ ids: [...new Set(ids)] }, on)
      return new Map(rows.map(({ id, mimeType }) => [id, mimeType]))
    },
  }
}

function usageQueries(database: Database) {
  const usages = usagesTable.on(database)
  const { mediaId, type, entryId, isText } = usagesTable.columns
  const pick = usagesTable.except('id')
  return {
    insert: usages.insertMany(),
    referencesTo: usages.find((_, inList) => sql`${inList(mediaId, 'mediaIds')} and not ${isText}`, {
      pick,
      orderBy: sql`${type}, ${entryId}`,
      lock: true,
    }),
    mediaTypes: mediaTable
      .on(database)
      .find((_, inList) => inList(mediaTable.columns.id, 'ids'), { pick: ['id', 'mimeType'] }),
  }
}

/**
 * Removes duplicates: an entry and its draft may both name a file, and so may a text and a media field of the same name in
 * blocks.
 */
function distinct(usages: EntryUsages['usages']): EntryUsages['usages'] {
  const found = new Map<string, EntryUsages['usages'][number]>()
  for (const usage of usages) {
    const key = `${usage.mediaId} ${usage.field}`
    const { isDraft, isText } = found.get(key) ?? usage
    found.set(key, { ...usage, isDraft: isDraft && usage.isDraft, isText: isText && usage.isText })
  }
  return [...found.values()]
}
