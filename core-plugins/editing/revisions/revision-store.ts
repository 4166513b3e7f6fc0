import { sql } from 'drizzle-orm'
import type { AttributeHistory } from '../../entries/content/content.ts'
import {
  column,
  type Database,
  type Queries,
  query,
  selectList,
  type Transaction,
  type Value,
} from '../../foundation/database/database.ts'
import type { Range } from '../../foundation/http/http.ts'
import { applyDelta } from './delta.ts'
import type { EntryKey, Revision } from './revisions.ts'
import { type NewRevisionRow, type RevisionRow, revisionsTable } from './tables.ts'

/** The state that an entry's next revision is built on. */
export interface Latest extends Pick<RevisionRow, 'version' | 'baseVersion' | 'weight' | 'stateAt'> {
  /** The entry of the base version, as JSON. */
  readonly baseData: string
}

/**
 * The rows of `svc_revisions`. The newest `max` revisions of each entry are visible; older rows may still
 * exist.
 */
export interface RevisionStore {
  /** The newest revision of each entry that has any, by entry id; with one query. */
  latest(type: string, entryIds: readonly number[], queries: Queries): Promise<Map<number, Latest>>
  /** Whether the id of a new entry may have been used by an earlier one whose revisions were left behind. */
  mayHaveLeftovers(type: string, entryId: number, queries: Queries): Promise<boolean>
  /** The newest revision of an entry as it is stored. */
  newest(entry: EntryKey, queries: Queries): Promise<RevisionRow | undefined>
  /** Replaces the content of the newest revision; it keeps its version and time. */
  rewrite(newest: RevisionRow, row: NewRevisionRow, tx: Transaction): Promise<void>
  /** Runs with the next statement of the transaction. */
  insert(rows: readonly NewRevisionRow[], tx: Transaction): void
  /** Deletes revisions that are neither visible nor the base of a visible one. */
  prune(type: string, entryIds: readonly number[], prune: { max: number; queries: Queries }): Promise<void>
  removeEntries(type: string, entryIds: readonly number[], queries: Queries): Promise<void>
  /** Newest first. */
  list(entry: EntryKey, max: number, range: Range): Promise<{ revisions: Revision[]; total: number }>
  find(entry: EntryKey, max: number, revisionId: number): Promise<Revision | undefined>
  /** The newest revision. */
  findNewest(entry: EntryKey): Promise<Revision | undefined>
}

export function createRevisionStore(database: Database, history: AttributeHistory): RevisionStore {
  const queries = revisionQueries(database)
  const newestEntries = new Map<string, number>()

  /** The highest entry id with revisions at the first call: ids are not reused afterwards, so entries with higher ids are new. */
  async function newestEntry(type: string, on: Queries): Promise<number> {
    const known = newestEntries.get(type)
    if (known !== undefined) return known
    const { newest = null } = (await queries.newestEntry.get({ type }, on)) ?? {}
    newestEntries.set(type, newest ?? 0)
    return newest ?? 0
  }

  /** The newest version that is no longer visible. */
  async function hiddenUpTo(
    { type, id }: EntryKey,
    max: number,
  ): Promise<{ newest: number; hidden: number }> {
    const { newest = null } = (await queries.newest.get({ type, entryId: id })) ?? {}
    return { newest: newest ?? 0, hidden: Math.max(0, (newest ?? 0) - max) }
  }

  async function withWholeData(rows: readonly RevisionRow[]): Promise<Revision[]> {
    const [first] = rows
    if (first === undefined) return []
    const versions = [...new Set(rows.map(({ baseVersion }) => baseVersion))]
    const { type, entryId } = first
    const bases = await queries.bases.all({ type, entryId, versions })
    const texts = new Map(bases.map(({ version, data }) => [version, data]))
    return rows.map((row) => {
      const { data, ...revision } = revisionOf(row, texts.get(row.baseVersion))
      return { ...revision, data: history.current(row.type, data, row.names) }
    })
  }

  return {
    async newest({ type, id }, on) {
      const rows = await queries.list.all({ type, entryId: id, hidden: 0, limit: 1, offset: 0 }, on)
      return rows[0]
    },
    async rewrite({ id, version }, row, tx) {
      const { data, weight, stateAt } = row
      const names = history.names()
      const baseVersion = row.baseVersion === row.version ? version : row.baseVersion
      await queries.rewrite.run({ id, data, names, weight, stateAt, baseVersion }, tx)
    },
    insert(rows, tx) {
      const names = history.names()
      queries.insert.soon(
        rows.map((row) => ({ ...row, names })),
        tx,
      )
    },
    mayHaveLeftovers: async (type, entryId, on) => entryId <= (await newestEntry(type, on)),
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

function revisionOf(row: RevisionRow, base: string | undefined): Revision {
  const { id, version, action, createdAt, authorKind, authorId, authorName } = row
  if (base === undefined) {
    throw new Error(`revision ${id} cannot be read: version ${row.baseVersion}, its base, is missing`)
  }
  const text = row.baseVersion === version ? row.data : applyDelta(base, row.data)
  const hasAuthor = authorKind !== null && authorId !== null
  const author = hasAuthor ? { kind: authorKind, id: authorId, username: authorName ?? '' } : null
  return { id, version, action, data: JSON.parse(text), author, createdAt }
}

function revisionQueries(database: Database) {
  const revisions = revisionsTable.on(database)
  const { id, type, entryId, version } = revisionsTable.columns
  const newest = { newest: column.integer().nullable() }
  const as = sql.identifier('newest')
  const ofEntry = (value: Value) => sql`${type} = ${value(type)} and ${entryId} = ${value(entryId)}`
  const seen = (value: Value) => sql`${ofEntry(value)} and ${version} > ${value(version, 'hidden')}`
  return {
    insert: revisions.insertMany(),
    rewrite: revisions.update(['data', 'names', 'baseVersion', 'weight', 'stateAt'], ['id']),
    latest: latestQuery(database),
    newest: query(
      database,
      (value) => sql`select max(${version}) as ${as} from ${revisionsTable} where ${ofEntry(value)}`,
      newest,
    ),
    newestEntry: query(
      database,
      (value) => sql`select max(${entryId}) as ${as} from ${revisionsTable} where ${type} = ${value(type)}`,
      newest,
    ),
    list: revisions.list(seen, { orderBy: sql`${version} desc` }),
    find: revisions.find((value) => sql`${id} = ${value(id, 'revisionId')} and ${seen(value)}`),
    bases: revisions.find((value, inList) => sql`${ofEntry(value)} and ${inList(version, 'versions')}`, {
      pick: ['version', 'data'],
    }),
    superfluous: superfluousQuery(database),
    remove: revisions.delete((_, inList) => inList(id, 'ids')),
    removeEntries: revisions.delete(
      (value, inList) => sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`,
    ),
  }
}

function latestQuery(database: Database) {
  const [r, b, m] = [revisionsTable.as('r'), revisionsTable.as('b'), revisionsTable.as('m')]
  const { type, entryId, version, baseVersion } = r.columns
  const selected = {
    ...r.pick('entryId', 'version', 'baseVersion', 'weight', 'stateAt'),
    baseData: b.columns.data,
  }
  return query(
    database,
    (value, inList) => sql`select ${selectList(database, selected)} from ${r} join ${b}
      on ${b.columns.type} = ${type} and ${b.columns.entryId} = ${entryId} and ${b.columns.version} = ${baseVersion}
      where ${type} = ${value(type)} and ${inList(entryId, 'entryIds')}
      and ${version} = (select max(${m.columns.version}) from ${m}
        where ${m.columns.type} = ${type} and ${m.columns.entryId} = ${entryId})`,
    selected,
  )
}

/**
 * Revisions before the base of the oldest visible one. A single pass over the rows: with a self-join,
 * PostgreSQL would scan them once per row while it has no statistics of the table.
 */
function superfluousQuery(database: Database) {
  return query(
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
    revisionsTable.pick('id'),
  )
}
