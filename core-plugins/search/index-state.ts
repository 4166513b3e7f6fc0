import { sql } from 'drizzle-orm'
import { column, type Database, defineTable, query, type Transaction } from '../database/database.ts'
import type { ContentType } from '../schemas/schemas.ts'
import { documentFormat } from './engines/document-row.ts'
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
  finish(type: string, made: { job: number; fingerprint: string }): Promise<void>
  /**
   * Whether every entry has a document in the present format, no other documents exist, and none is of an older version of
   * its entry; measured by counts.
   */
  isComplete(type: ContentType): Promise<boolean>
  /** Entry ids of some documents of a type whose entries do not exist; of any, if the type does not exist. */
  orphans(name: string, type: ContentType | undefined, tx: Transaction): Promise<number[]>
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
  const remove = states.delete(['type'])
  const insert = states.insert()
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
    async isComplete(type) {
      const row = await comparison(database, documentsTable, type).get({ type: type.name })
      return (
        row !== undefined &&
        row.entries === row.documents &&
        row.documents === row.inFormat &&
        row.newestEntry === row.newestDocument
      )
    },
    async orphans(name, type, tx) {
      const rows = await orphans(database, documentsTable, type).all({ name }, tx)
      return rows.map(({ entryId }) => entryId)
    },
    async types() {
      return (await types.all()).map(({ type }) => type)
    },
  }
}

const orphansAtOnce = 500

function orphans(database: Database, documentsTable: string, type: ContentType | undefined) {
  const present = type?.options.softDelete === true ? sql` and t.deleted_at is null` : sql``
  const isGone =
    type === undefined
      ? sql``
      : sql` and not exists (select 1 from ${sql.identifier(type.table)} t where t.id = d.entry_id${present})`
  return query(
    database,
    (value) => sql`select d.entry_id as ${sql.identifier('entryId')} from ${sql.identifier(documentsTable)} d
      where d.type = ${value('name', 'string')}${isGone} limit ${sql.raw(String(orphansAtOnce))}`,
    { entryId: column.integer() },
  )
}

/** In one statement, so that no write comes in between. */
function comparison(database: Database, documentsTable: string, { table, options }: ContentType) {
  const documents = sql.identifier(documentsTable)
  const entries = sql`from ${sql.identifier(table)}${options.softDelete ? sql` where deleted_at is null` : sql``}`
  const ofType = (value: (name: string, kind: 'string') => ReturnType<typeof sql>) =>
    sql`from ${documents} where type = ${value('type', 'string')}`
  return query(
    database,
    (value) => sql`select (select count(*) ${entries}) as ${sql.identifier('entries')},
      (select count(*) ${ofType(value)}) as ${sql.identifier('documents')},
      (select count(*) ${ofType(value)} and format = ${sql.raw(String(documentFormat))})
        as ${sql.identifier('inFormat')},
      (select max(updated_at) ${entries}) as ${sql.identifier('newestEntry')},
      (select max(updated_at) ${ofType(value)}) as ${sql.identifier('newestDocument')}`,
    {
      entries: column.integer(),
      documents: column.integer(),
      inFormat: column.integer(),
      newestEntry: column.datetime().nullable(),
      newestDocument: column.datetime().nullable(),
    },
  )
}
