import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import {
  column,
  type Database,
  defineTable,
  query,
  type Transaction,
} from '../../../foundation/database/database.ts'
import { mediaTable } from '../system-tables.ts'
import { baseOf } from './base-of.ts'

/** The files that records had before they were replaced, so that addresses that are already in use continue to work. */
export const formerFilesTable = defineTable(
  'svc_media_former_files',
  {
    // The common prefix of the names of a file and its thumbnails.
    base: column.string(32),
    // Without a foreign key, since restores write one table at a time.
    mediaId: column.integer(),
  },
  { section: 'media', primaryKey: ['base'], indexes: [{ columns: ['mediaId'], type: 'index' }] },
)

/** Finds the present file of a record by a former one. */
export interface FormerFiles {
  /** To be called in the transaction that replaces a file. */
  note(file: { readonly id: number; readonly filename: string }, tx: Transaction): Promise<void>
  forget(mediaIds: readonly number[], tx: Transaction): Promise<void>
  /** To be called in a transaction that writes the tables directly; clears the cache after the commit. */
  restored(tx: Transaction): void
  /**
   * The present file of the record that once had this file or thumbnail; undefined if the file is the present one or the
   * record is gone.
   */
  presentOf(key: string): Promise<string | undefined>
}

const remembered = 10_000
/** Bounds the age of cached answers, since other processes also replace files. */
const trustMs = 60_000

export function createFormerFiles(database: Database): FormerFiles {
  const rows = formerFilesTable.on(database)
  const { base, mediaId } = formerFilesTable.columns
  const insertion = rows.insert({ ignoreDuplicates: true })
  const removal = rows.delete((_, inList) => inList(mediaId, 'mediaIds'))
  const { id, filename } = mediaTable.columns
  const present = query<{ filename: string }>(
    database,
    (value) => sql`select ${filename} from ${mediaTable} where ${id} in
      (select ${mediaId} from ${formerFilesTable} where ${base} = ${value(base)})`,
    { filename },
  )
  const kept = new LRUCache<string, { readonly filename: string | undefined }>({
    ...upTo(remembered),
    ttl: trustMs,
  })
  const startAnew = (tx: Transaction) => tx.afterCommit(() => kept.clear())
  return {
    async note(file, tx) {
      await insertion.run({ base: baseOf(file.filename), mediaId: file.id }, tx)
      startAnew(tx)
    },
    async forget(mediaIds, tx) {
      await removal.run({ mediaIds }, tx)
      startAnew(tx)
    },
    restored: startAnew,
    async presentOf(key) {
      const former = baseOf(key)
      const known = kept.get(former)
      if (known !== undefined) return known.filename
      const found = (await present.get({ base: former }))?.filename
      // After a restore the former file may be the present one again.
      const answer = found === undefined || baseOf(found) === former ? undefined : found
      kept.set(former, { filename: answer })
      return answer
    },
  }
}
