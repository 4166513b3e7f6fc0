import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  defineTable,
  query,
  type Transaction,
} from '../../foundation/database/database.ts'
import type { Stamp } from './index-change.ts'

/**
 * The fingerprint for which the documents of each type were built. `rebuilt_by` is the last job that rebuilt them,
 * `rebuilt_to` the last entry that it has processed; null once it has finished.
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

/** The name of the index in the change log; no content type has this name. */
export const indexName = 'search index'

/** `done`, or the id of the last entry whose document was built; 0 for none. */
export type RebuildProgress = number | 'done'

/** A type whose documents have all been built. */
export interface FinishedType {
  readonly type: string
  readonly fingerprint: string
  /** Null if there was nothing to build. */
  readonly job: number | null
}

export interface IndexState {
  /** Updates the recorded entry version of documents that are otherwise current. */
  stamp(stamp: Stamp, tx: Transaction): Promise<void>
  /** The fingerprint for which the documents of a type were built. */
  fingerprint(type: string): Promise<string | undefined>
  /** The progress of a job in rebuilding a type. */
  progress(type: string, job: number): Promise<RebuildProgress>
  setProgress(type: string, progress: { job: number; upTo: number }, tx: Transaction): Promise<void>
  /** Records that all documents of the types have been built. */
  finish(types: readonly FinishedType[]): Promise<void>
  /** The fingerprints of all types, by name. */
  fingerprints(): Promise<ReadonlyMap<string, string>>
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
  const all = states.find([], { pick: ['type', 'fingerprint'] })
  const remove = states.delete(['type'])
  // Two processes may start at the same time and record the same types.
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
    finish: (types) =>
      database.transaction(async (tx) => {
        for (const { type, fingerprint, job } of types) {
          await remove.run({ type }, tx)
          await insert.run({ type, fingerprint, rebuiltBy: job, rebuiltTo: null }, tx)
        }
      }),
    fingerprints: async () => new Map((await all.all()).map(({ type, fingerprint }) => [type, fingerprint])),
    async types() {
      return (await types.all()).map(({ type }) => type)
    },
  }
}
