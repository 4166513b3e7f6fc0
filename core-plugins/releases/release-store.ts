import { sql } from 'drizzle-orm'
import {
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  type Transaction,
} from '../database/database.ts'
import { AppError, type Range } from '../http/http.ts'
import type { Release, ReleaseError, ReleaseItem, ReleaseStatus } from './releases.ts'
import { itemColumns, releaseColumns } from './tables.ts'

export type NewRelease = Pick<Release, 'name' | 'status' | 'scheduledAt' | 'scheduledBy'>

export type NewItem = Pick<ReleaseItem, 'contentType' | 'entryId' | 'action'>

/** The rows of `svc_releases` and `svc_release_items`. */
export interface ReleaseStore {
  /** Newest first. */
  list(status: ReleaseStatus | undefined, range: Range): Promise<{ releases: Release[]; total: number }>
  /** @throws AppError 404 */
  find(id: number, queries?: Queries): Promise<Release>
  /** Locked until the end of the transaction. @throws AppError 404 */
  lock(id: number, tx: Transaction): Promise<Release>
  insert(release: NewRelease, tx: Transaction): Promise<number>
  update(id: number, release: NewRelease & Pick<Release, 'error'>, tx: Transaction): Promise<void>
  remove(id: number, tx: Transaction): Promise<void>
  /** In the order in which they were added. */
  items(releaseId: number, queries?: Queries): Promise<ReleaseItem[]>
  /** Undefined where the release has the entry already. */
  insertItem(releaseId: number, item: NewItem, tx: Transaction): Promise<ReleaseItem | undefined>
  /** @throws AppError 404 */
  removeItem(releaseId: number, itemId: number, tx: Transaction): Promise<void>
  /** Begins to publish; false where it is published already, or being published. */
  claim(id: number, claim: string): Promise<boolean>
  /** Ends it well; false where somebody else has taken it over. */
  finish(id: number, claim: string, tx: Transaction): Promise<boolean>
  /** Ends it badly, unless somebody else has taken it over. */
  fail(id: number, claim: string, error: ReleaseError): Promise<boolean>
}

/** Whoever publishes for longer than that is believed to be dead. It cannot finish any more when it was taken over. */
export const claimLifetimeMs = 120_000

interface ReleaseRow extends Release {
  readonly claimedAt: string | null
}

export function createReleaseStore(database: Database): ReleaseStore {
  const queries = releaseQueries(database)

  async function requireRow(id: number, row: Promise<ReleaseRow | undefined>): Promise<Release> {
    const found = await row
    if (found === undefined) throw AppError.notFound(`release ${id}`)
    return present(found)
  }

  return {
    async list(status, range) {
      const values = { status: status ?? '', anyStatus: status === undefined, yes: true, ...range }
      const [rows, counted] = await Promise.all([queries.list.all(values), queries.count.get(values)])
      return { releases: rows.map(present), total: counted?.total ?? 0 }
    },
    find: (id, on) => requireRow(id, queries.find.get({ id }, on)),
    lock: async (id, tx) => {
      await queries.lock.get({ id }, tx)
      return requireRow(id, queries.find.get({ id }, tx))
    },
    async insert(release, tx) {
      const now = new Date().toISOString()
      return (await queries.insert.run({ ...release, createdAt: now, updatedAt: now }, tx)).insertId
    },
    async update(id, release, tx) {
      await queries.update.run({ ...release, id, now: new Date().toISOString() }, tx)
    },
    async remove(id, tx) {
      await queries.remove.run({ id }, tx)
    },
    items: (releaseId, on) => queries.items.all({ releaseId }, on),
    async insertItem(releaseId, item, tx) {
      if ((await queries.findItem.get({ releaseId, ...item }, tx)) !== undefined) return undefined
      const row = { releaseId, ...item, createdAt: new Date().toISOString() }
      const { insertId } = await queries.insertItem.run(row, tx)
      return { id: insertId, ...item, createdAt: row.createdAt }
    },
    async removeItem(releaseId, itemId, tx) {
      const { changes } = await queries.removeItem.run({ releaseId, itemId }, tx)
      if (changes === 0) throw AppError.notFound(`entry ${itemId} of release ${releaseId}`)
    },
    async claim(id, claim) {
      const now = new Date()
      const stale = new Date(now.getTime() - claimLifetimeMs).toISOString()
      return (await queries.claim.run({ id, claim, now: now.toISOString(), stale })).changes > 0
    },
    async finish(id, claim, tx) {
      return (await queries.finish.run({ id, claim, now: new Date().toISOString() }, tx)).changes > 0
    },
    async fail(id, claim, error) {
      return (await queries.fail.run({ id, claim, error, now: new Date().toISOString() })).changes > 0
    },
  }
}

const interrupted: ReleaseError = {
  message: 'publishing was interrupted, and nothing was changed; publish it again',
  details: [],
}

/** One whose publisher died has failed, though nobody could write that down. */
function present({ claimedAt, ...row }: ReleaseRow): Release {
  const { id, name, scheduledAt, scheduledBy, publishedAt, entryCount, createdAt, updatedAt } = row
  const isDead = row.status === 'publishing' && Date.parse(claimedAt ?? '') < Date.now() - claimLifetimeMs
  const status = isDead ? 'failed' : row.status
  const error = isDead ? interrupted : row.error
  const times = { scheduledAt, scheduledBy, publishedAt }
  return { id, name, status, ...times, error, entryCount, createdAt, updatedAt }
}

function releaseQueries(database: Database) {
  const table = sql`svc_releases`
  const count = sql`(select count(*) from svc_release_items where release_id = svc_releases.id)`
  const select = sql`select ${selectList(database, releaseColumns)}, ${count} as ${sql.identifier('entryCount')} from ${table}`
  const columns = { ...releaseColumns, entryCount: { column: 'entryCount', kind: 'integer' } } as const
  const {
    claim: _claim,
    claimedAt: _claimedAt,
    error: _error,
    publishedAt: _publishedAt,
    ...written
  } = releaseColumns
  return {
    list: query<ReleaseRow>(
      database,
      (value) => sql`${select} where (${value('anyStatus', 'boolean')} = ${value('yes', 'boolean')}
        or status = ${value('status', 'string')})
        order by id desc limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      columns,
    ),
    count: query<{ total: number }>(
      database,
      (
        value,
      ) => sql`select count(*) as total from ${table} where (${value('anyStatus', 'boolean')} = ${value('yes', 'boolean')}
        or status = ${value('status', 'string')})`,
      { total: { column: 'total', kind: 'integer' } },
    ),
    find: query<ReleaseRow>(database, (value) => sql`${select} where id = ${value('id', 'id')}`, columns),
    lock: query(
      database,
      (value) => sql`select id from ${table} where id = ${value('id', 'id')} ${database.dialect.forUpdate}`,
    ),
    insert: query(database, (value) => insertInto('svc_releases', written, value)),
    update: query(
      database,
      (
        value,
      ) => sql`update ${table} set name = ${value('name', 'string')}, status = ${value('status', 'string')},
        scheduled_at = ${value('scheduledAt', 'datetime')}, scheduled_by = ${value('scheduledBy', 'string')}, error = ${value('error', 'json')}, updated_at = ${value('now', 'datetime')}
        where id = ${value('id', 'id')}`,
    ),
    remove: query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`),
    ...itemQueries(database),
    claim: query(
      database,
      (value) => sql`update ${table} set status = 'publishing', claim = ${value('claim', 'string')},
        claimed_at = ${value('now', 'datetime')}, error = null where id = ${value('id', 'id')}
        and (status in ('draft', 'scheduled', 'failed')
          or (status = 'publishing' and (claim = ${value('claim', 'string')} or claimed_at < ${value('stale', 'datetime')})))`,
    ),
    finish: query(
      database,
      (value) => sql`update ${table} set status = 'published', published_at = ${value('now', 'datetime')},
        updated_at = ${value('now', 'datetime')}, claim = null, claimed_at = null, error = null
        where id = ${value('id', 'id')} and status = 'publishing' and claim = ${value('claim', 'string')}`,
    ),
    fail: query(
      database,
      (value) => sql`update ${table} set status = 'failed', error = ${value('error', 'json')},
        updated_at = ${value('now', 'datetime')}, claim = null, claimed_at = null
        where id = ${value('id', 'id')} and status = 'publishing' and claim = ${value('claim', 'string')}`,
    ),
  }
}

function itemQueries(database: Database) {
  const table = sql`svc_release_items`
  const { releaseId: _releaseId, ...shown } = itemColumns
  return {
    items: query<ReleaseItem>(
      database,
      (value) => sql`select ${selectList(database, shown)} from ${table}
        where release_id = ${value('releaseId', 'reference')} order by id`,
      shown,
    ),
    findItem: query<{ id: number }>(
      database,
      (value) => sql`select id from ${table} where release_id = ${value('releaseId', 'reference')}
        and type = ${value('contentType', 'string')} and entry_id = ${value('entryId', 'integer')}`,
      { id: itemColumns.id },
    ),
    insertItem: query(database, (value) => insertInto('svc_release_items', itemColumns, value)),
    removeItem: query(
      database,
      (value) => sql`delete from ${table} where release_id = ${value('releaseId', 'reference')}
        and id = ${value('itemId', 'id')}`,
    ),
  }
}
