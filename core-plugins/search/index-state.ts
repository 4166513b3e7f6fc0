import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  query,
  selectList,
  type TableSpec,
  type Transaction,
} from '../database/database.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type { AlikeStamps } from './stamps.ts'

/**
 * For what the documents of each type were made. `rebuilt_by` is the last job that made them anew, `rebuilt_to` the entry
 * up to which it has come; null when it is through.
 */
export const statesTable: TableSpec = {
  name: 'svc_search_states',
  columns: [
    { name: 'type', kind: 'string' },
    { name: 'fingerprint', kind: 'string', length: 64 },
    { name: 'rebuilt_by', kind: 'integer', nullable: true },
    { name: 'rebuilt_to', kind: 'integer', nullable: true },
  ],
  primaryKey: ['type'],
}

/** `done`, or the id of the last entry whose document was made; 0 for none yet. */
export type RebuildProgress = number | 'done'

export interface IndexState {
  /** Says of documents that are right otherwise which version of their entries they are made of. */
  stamp(stamps: AlikeStamps, tx: Transaction): Promise<void>
  /** The fingerprint that the documents of a type were made for. */
  fingerprint(type: string): Promise<string | undefined>
  /** How far a job has come with a type. */
  progress(type: string, job: number): Promise<RebuildProgress>
  setProgress(type: string, progress: { job: number; upTo: number }, tx: Transaction): Promise<void>
  /** The documents of a type are all made. */
  finish(type: string, made: { job: number; fingerprint: string }): Promise<void>
  /** Whether there is a document for every entry, none besides, and none of an older version, as far as counts tell. */
  isComplete(type: ContentType): Promise<boolean>
  /** Entry ids of some documents of a type whose entries are not there; of any where there is no type of that name. */
  orphans(name: string, type: ContentType | undefined, tx: Transaction): Promise<number[]>
  /** All types that there are documents of. */
  types(): Promise<string[]>
}

interface StateRow {
  readonly fingerprint: string
  readonly rebuiltBy: number | null
  readonly rebuiltTo: number | null
}

const typeColumn = { column: 'type', kind: 'string' } as const

const stateColumns = {
  fingerprint: { column: 'fingerprint', kind: 'string' },
  rebuiltBy: { column: 'rebuilt_by', kind: 'integer' },
  rebuiltTo: { column: 'rebuilt_to', kind: 'integer' },
} as const satisfies Columns

export function createIndexState(database: Database, documentsTable: string): IndexState {
  const documents = sql.identifier(documentsTable)
  const states = sql.identifier(statesTable.name)
  const stamp = query(
    database,
    (value, inList) => sql`update ${documents} set updated_at = ${value('updatedAt', 'datetime')},
      published_at = ${value('publishedAt', 'datetime')}
      where type = ${value('type', 'string')} and ${inList(sql`entry_id`, 'entryIds', 'id')}`,
  )
  const find = query<StateRow>(
    database,
    (value) => sql`select ${selectList(database, stateColumns)} from ${states}
      where type = ${value('type', 'string')}`,
    stateColumns,
  )
  const remove = query(
    database,
    (value) => sql`delete from ${states} where type = ${value('type', 'string')}`,
  )
  const insert = query(database, (value) =>
    insertInto(statesTable.name, { type: typeColumn, ...stateColumns }, value),
  )
  const advance = query(
    database,
    (value) => sql`update ${states} set rebuilt_by = ${value('job', 'integer')},
      rebuilt_to = ${value('upTo', 'integer')} where type = ${value('type', 'string')}`,
  )
  const types = query<{ type: string }>(database, () => sql`select distinct type from ${documents}`)

  return {
    async stamp(stamps, tx) {
      await stamp.run({ ...stamps }, tx)
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
      const { changes } = await advance.run({ type, job, upTo }, tx)
      if (changes === 0) await insert.run({ type, fingerprint: '', rebuiltBy: job, rebuiltTo: upTo }, tx)
    },
    finish: (type, { job, fingerprint }) =>
      database.transaction(async (tx) => {
        await remove.run({ type }, tx)
        await insert.run({ type, fingerprint, rebuiltBy: job, rebuiltTo: null }, tx)
      }),
    async isComplete(type) {
      const row = await comparison(database, documentsTable, type).get({ type: type.name })
      return row !== undefined && row.entries === row.documents && row.newestEntry === row.newestDocument
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
  return query<{ entryId: number }>(
    database,
    (value) => sql`select d.entry_id as ${sql.identifier('entryId')} from ${sql.identifier(documentsTable)} d
      where d.type = ${value('name', 'string')}${isGone} limit ${sql.raw(String(orphansAtOnce))}`,
    { entryId: { column: 'entry_id', kind: 'id' } },
  )
}

interface Comparison {
  readonly entries: number
  readonly documents: number
  readonly newestEntry: string | null
  readonly newestDocument: string | null
}

/** In one statement, so that no write comes in between. */
function comparison(database: Database, documentsTable: string, { table, options }: ContentType) {
  const documents = sql.identifier(documentsTable)
  const entries = sql`from ${sql.identifier(table)}${options.softDelete ? sql` where deleted_at is null` : sql``}`
  const ofType = (value: (name: string, kind: 'string') => ReturnType<typeof sql>) =>
    sql`from ${documents} where type = ${value('type', 'string')}`
  return query<Comparison>(
    database,
    (value) => sql`select (select count(*) ${entries}) as ${sql.identifier('entries')},
      (select count(*) ${ofType(value)}) as ${sql.identifier('documents')},
      (select max(updated_at) ${entries}) as ${sql.identifier('newestEntry')},
      (select max(updated_at) ${ofType(value)}) as ${sql.identifier('newestDocument')}`,
    {
      entries: { column: 'entries', kind: 'integer' },
      documents: { column: 'documents', kind: 'integer' },
      newestEntry: { column: 'newestEntry', kind: 'datetime' },
      newestDocument: { column: 'newestDocument', kind: 'datetime' },
    },
  )
}
