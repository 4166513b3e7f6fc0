import { sql } from 'drizzle-orm'
import { column, type Database, defineTable, query, type Transaction } from '../database/database.ts'
import type { Stamp } from './index-change.ts'

/**
 * The fingerprint that the documents of each type were built for. `rebuilt_by` is the last job that rebuilt
 * them, `rebuilt_to` the last entry that it has processed; null once it is finished.
 */
export const statesTable = defineTable(
  'svc_search_states',
  {
    type: column.string(),
    fingerprint: column.string(64),
    rebuiltBy: column.integer().nullable(),
    rebuiltTo: column.integer().nullable(),
  },
  { primaryKey: ['type'] },
)

/** What notes in the change log call the index; no content type has this name. */
export const indexName = 'search index'

/** `done`, or the id of the last entry whose document was built; 0 if none was. */
export type RebuildProgress = number | 'done'

export interface IndexState {
  /** Updates the recorded entry version of documents that are otherwise current. */
  stamp(stamp: Stamp, tx: Transaction): Promise<void>
  /** The fingerprint that the documents of a type were built for. */
  fingerprint(type: string): Promise<string | undefined>
  /** How far a job has rebuilt a type. */
  progress(type: string, job: number): Promise<RebuildProgress>
  setProgress(type: string, progress: { job: number; upTo: number }, tx: Transaction): Promise<void>
  /** Records that all documents of a type are built. */
  finish(type: string, made: { job: number | null; fingerprint: string }): Promise<void>
  /** The types of which all documents have been built, for whatever fingerprint. */
  known(): Promise<ReadonlySet<string>>
  /** All types that have documents. */
  types(): Promise<string[]>
}

export function createIndexState(database: Database, documentsTable: string): IndexState {
  const documents = sql.identifier(documentsTable)
  const states = statesTable.on(database)
  const setTimes = query(
    database,
    (value, inList) => sql`update ${documents} set updated_at = ${value('updatedAt', 'datetime')},
      published_at = ${value('publishedAt', 'datetime')}
      where type = ${value('type', 'string')} and ${inList(sql`entry_id`, 'entryIds', 'id')}`,
  )
  const find = states.find(['type'])
  const all = states.find([], { pick: ['type'] })
  const remove = states.delete(['type'])
  // Two processes that start at the same time both note what is empty.
  const insert = states.insert({ ignoreDuplicates: true })
  const advance = states.update(['rebuiltBy', 'rebuiltTo'], ['type'])
  const types = query<{ type: string }>(database, () => sql`select distinct type from ${documents}`)

  return {
    async stamp(stamp, tx) {
      await setTimes.run({ ...stamp }, tx)
    },
    async fingerprint(type) {
      return (await find.get({ type }))?.fingerprint
    },
    async progress(type, job) {
      const row = await find.get({ type })
      if (row?.rebuiltBy !== job) return 0
      return row.rebuiltTo ?? 'done'
    },
    async setProgress(type, { job, upTo }, tx) {
      const { changes } = await advance.run({ type, rebuiltBy: job, rebuiltTo: upTo }, tx)
      if (changes === 0) await insert.run({ type, fingerprint: '', rebuiltBy: job, rebuiltTo: upTo }, tx)
    },
    finish: (type, { job, fingerprint }) =>
      database.transaction(async (tx) => {
        await remove.run({ type }, tx)
        await insert.run({ type, fingerprint, rebuiltBy: job, rebuiltTo: null }, tx)
      }),
    known: async () => new Set((await all.all()).map(({ type }) => type)),
    async types() {
      return (await types.all()).map(({ type }) => type)
    },
  }
}
