import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertMany,
  type Queries,
  type Query,
  query,
  selectList,
  type Transaction,
  type Value,
} from '../database/database.ts'
import type { Range } from '../http/http.ts'
import { applyDelta } from './delta.ts'
import type { EntryKey, Revision, RevisionAction, RevisionAuthor } from './revisions.ts'
import { revisionColumns } from './tables.ts'

/** A row of `svc_revisions`. */
export interface RevisionRow {
  readonly type: string
  readonly entryId: number
  readonly version: number
  readonly action: RevisionAction
  readonly data: string
  readonly baseVersion: number
  readonly weight: number
  readonly stateAt: string
  readonly authorKind: RevisionAuthor['kind'] | null
  readonly authorId: number | null
  readonly authorName: string | null
  readonly createdAt: string
}

/** What the next revision of an entry follows. */
export interface Latest extends Pick<RevisionRow, 'version' | 'baseVersion' | 'weight' | 'stateAt'> {
  /** The entry of the base version, as JSON. */
  readonly baseData: string
}

/** The rows of `svc_revisions`. Of each entry the newest `max` revisions are to be seen; others may still be there. */
export interface RevisionStore {
  /** The newest revision of each entry that has any, by its id; with one query. */
  latest(type: string, entryIds: readonly number[], queries: Queries): Promise<Map<number, Latest>>
  /** Whether a new entry may have got the id of an earlier one, whose revisions were left behind. */
  mayHaveLeftovers(type: string, entryId: number): Promise<boolean>
  /** With the next statement of the transaction. */
  insert(rows: readonly RevisionRow[], tx: Transaction): void
  /** Deletes what neither is to be seen nor is the base of what is. */
  prune(type: string, entryIds: readonly number[], prune: { max: number; queries: Queries }): Promise<void>
  removeEntries(type: string, entryIds: readonly number[], queries: Queries): Promise<void>
  /** Newest first. */
  list(entry: EntryKey, max: number, range: Range): Promise<{ revisions: Revision[]; total: number }>
  find(entry: EntryKey, max: number, revisionId: number): Promise<Revision | undefined>
  /** The newest one. */
  findNewest(entry: EntryKey): Promise<Revision | undefined>
}

interface StoredRevision extends RevisionRow {
  readonly id: number
}

export function createRevisionStore(database: Database): RevisionStore {
  const queries = revisionQueries(database)
  const insert = insertMany<RevisionRow>(database, { table: 'svc_revisions', columns: revisionColumns })
  const newestEntries = new Map<string, Promise<number>>()

  /** Which was the newest entry with revisions when it was asked for first: ids are given out once, so later ones are new. */
  function newestEntry(type: string): Promise<number> {
    const known = newestEntries.get(type)
    if (known !== undefined) return known
    const asked = queries.newestEntry.get({ type }).then((row) => row?.newest ?? 0)
    asked.catch(() => newestEntries.delete(type))
    newestEntries.set(type, asked)
    return asked
  }

  /** The oldest version that is not to be seen any more. */
  async function hiddenUpTo(
    { type, id }: EntryKey,
    max: number,
  ): Promise<{ newest: number; hidden: number }> {
    const { newest = null } = (await queries.newest.get({ type, entryId: id })) ?? {}
    return { newest: newest ?? 0, hidden: Math.max(0, (newest ?? 0) - max) }
  }

  async function withWholeData(rows: readonly StoredRevision[]): Promise<Revision[]> {
    const [first] = rows
    if (first === undefined) return []
    const versions = [...new Set(rows.map(({ baseVersion }) => baseVersion))]
    const { type, entryId } = first
    const bases = await queries.bases.all({ type, entryId, versions })
    const texts = new Map(bases.map(({ version, data }) => [version, data]))
    return rows.map((row) => revisionOf(row, texts.get(row.baseVersion)))
  }

  return {
    insert: (rows, tx) => insert.soon(rows, tx),
    mayHaveLeftovers: async (type, entryId) => entryId <= (await newestEntry(type)),
    async latest(type, entryIds, on) {
      const rows = await queries.latest.all({ type, entryIds }, on)
      return new Map(rows.map(({ entryId, ...latest }) => [entryId, latest]))
    },
    async prune(type, entryIds, { max, queries: on }) {
      const rows = await queries.superfluous.all({ type, entryIds, max }, on)
      if (rows.length > 0) await queries.remove.run({ ids: rows.map(({ id }) => id) }, on)
    },
    async removeEntries(type, entryIds, on) {
      await queries.removeEntries.run({ type, entryIds }, on)
    },
    async list({ type, id }, max, range) {
      const { newest, hidden } = await hiddenUpTo({ type, id }, max)
      const rows = await queries.list.all({ type, entryId: id, hidden, ...range })
      return { revisions: await withWholeData(rows), total: newest - hidden }
    },
    async find(entry, max, revisionId) {
      const { hidden } = await hiddenUpTo(entry, max)
      const row = await queries.find.get({ type: entry.type, entryId: entry.id, hidden, revisionId })
      return row && (await withWholeData([row]))[0]
    },
    async findNewest({ type, id }) {
      const rows = await queries.list.all({ type, entryId: id, hidden: 0, limit: 1, offset: 0 })
      return (await withWholeData(rows))[0]
    },
  }
}

function revisionOf(row: StoredRevision, base: string | undefined): Revision {
  const { id, version, action, createdAt, authorKind, authorId, authorName } = row
  if (base === undefined) {
    throw new Error(`revision ${id} cannot be read: version ${row.baseVersion}, its base, is missing`)
  }
  const text = row.baseVersion === version ? row.data : applyDelta(base, row.data)
  const hasAuthor = authorKind !== null && authorId !== null
  const author = hasAuthor ? { kind: authorKind, id: authorId, username: authorName ?? '' } : null
  return { id, version, action, data: JSON.parse(text), author, createdAt }
}

const latestColumns = {
  entryId: revisionColumns.entryId,
  version: revisionColumns.version,
  baseVersion: revisionColumns.baseVersion,
  weight: revisionColumns.weight,
  stateAt: revisionColumns.stateAt,
} as const satisfies Columns

const baseColumns = { baseData: revisionColumns.data } as const satisfies Columns

function revisionQueries(database: Database) {
  const table = sql`svc_revisions`
  const select = sql`select ${selectList(database, revisionColumns)} from ${table}`
  const ofEntry = (value: Value) =>
    sql`type = ${value('type', 'string')} and entry_id = ${value('entryId', 'integer')}`
  const seen = (value: Value) => sql`${ofEntry(value)} and version > ${value('hidden', 'integer')}`
  return {
    latest: query<Latest & { entryId: number }>(
      database,
      (
        value,
        inList,
      ) => sql`select ${selectList(database, latestColumns, 'r')}, ${selectList(database, baseColumns, 'b')}
        from ${table} r join ${table} b
        on b.type = r.type and b.entry_id = r.entry_id and b.version = r.base_version
        where r.type = ${value('type', 'string')} and ${inList(sql`r.entry_id`, 'entryIds', 'integer')}
        and r.version = (select max(m.version) from ${table} m where m.type = r.type and m.entry_id = r.entry_id)`,
      { ...latestColumns, ...baseColumns },
    ),
    newest: query<{ newest: number | null }>(
      database,
      (value) =>
        sql`select max(version) as ${sql.identifier('newest')} from ${table} where ${ofEntry(value)}`,
      { newest: { column: 'newest', kind: 'integer' } },
    ),
    newestEntry: query<{ newest: number | null }>(
      database,
      (value) => sql`select max(entry_id) as ${sql.identifier('newest')} from ${table}
        where type = ${value('type', 'string')}`,
      { newest: { column: 'newest', kind: 'integer' } },
    ),
    list: query<StoredRevision>(
      database,
      (value) => sql`${select} where ${seen(value)} order by version desc
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      revisionColumns,
    ),
    find: query<StoredRevision>(
      database,
      (value) => sql`${select} where id = ${value('revisionId', 'id')} and ${seen(value)}`,
      revisionColumns,
    ),
    bases: query<{ version: number; data: string }>(
      database,
      (
        value,
        inList,
      ) => sql`select ${selectList(database, { version: latestColumns.version, data: revisionColumns.data })}
        from ${table} where ${ofEntry(value)} and ${inList(sql`version`, 'versions', 'integer')}`,
      { version: latestColumns.version, data: revisionColumns.data },
    ),
    superfluous: superfluousQuery(database),
    remove: query(database, (_, inList) => sql`delete from ${table} where ${inList(sql`id`, 'ids', 'id')}`),
    removeEntries: query(
      database,
      (value, inList) => sql`delete from ${table} where type = ${value('type', 'string')}
        and ${inList(sql`entry_id`, 'entryIds', 'integer')}`,
    ),
  }
}

/**
 * What comes before the base of the oldest revision that is to be seen. By one pass over the rows: joined with themselves
 * PostgreSQL would go through them again for each, where it knows nothing of the table yet.
 */
function superfluousQuery(database: Database): Query<{ id: number }> {
  return query<{ id: number }>(
    database,
    (value, inList) => {
      const counted = sql`select id, entry_id, version, base_version,
        max(version) over (partition by entry_id) as newest from svc_revisions
        where type = ${value('type', 'string')} and ${inList(sql`entry_id`, 'entryIds', 'integer')}`
      const isSeen = sql`version > newest - ${value('max', 'integer')}`
      const based = sql`select id, version,
        min(case when ${isSeen} then base_version end) over (partition by entry_id) as oldest from (${counted}) c`
      return sql`select id from (${based}) b where version < oldest`
    },
    { id: revisionColumns.id },
  )
}
