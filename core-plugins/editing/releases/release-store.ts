import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  pageOf,
  type Queries,
  query,
  selectList,
  type Transaction,
  type Value,
} from '../../foundation/database/database.ts'
import { AppError, type Range } from '../../foundation/http/http.ts'
import type { Release, ReleaseError, ReleaseStatus } from './releases.ts'
import { type ReleaseRow, releaseItemsTable, releasesTable } from './tables.ts'

export type NewRelease = Pick<Release, 'name' | 'status' | 'scheduledAt' | 'scheduledBy'>

/** Which releases to list; `open`: those that are not published. */
export interface ReleaseFilter {
  readonly status?: ReleaseStatus | 'open' | undefined
  /** Only releases that contain this entry. */
  readonly entry?: { readonly contentType: string; readonly entryId: number } | undefined
}

/** The rows of `svc_releases`. */
export interface ReleaseStore {
  /** Newest first. */
  list(filter: ReleaseFilter, range: Range): Promise<{ releases: Release[]; total: number }>
  /** The earliest first. */
  scheduled(limit: number): Promise<Release[]>
  /** Releases with a scheduled time in the range, regardless of status, the earliest first. */
  between(from: string, to: string, limit: number): Promise<Release[]>
  /** @throws AppError 404 */
  find(id: number, queries?: Queries): Promise<Release>
  /** Locked until the end of the transaction. @throws AppError 404 */
  lock(id: number, tx: Transaction): Promise<Release>
  insert(release: NewRelease, tx: Transaction): Promise<number>
  update(id: number, release: NewRelease & Pick<Release, 'error'>, tx: Transaction): Promise<void>
  remove(id: number, tx: Transaction): Promise<void>
  /** Starts publishing; false if it is already published or being published. */
  claim(id: number, claim: string): Promise<boolean>
  /** Records success; false if another publisher has taken over. */
  finish(id: number, claim: string, tx: Transaction): Promise<boolean>
  /** Records failure, unless another publisher has taken over; returns whether it did. */
  fail(id: number, claim: string, error: ReleaseError): Promise<boolean>
}

/** A publisher that takes longer is presumed dead, and cannot finish once another has taken over. */
export const claimLifetimeMs = 120_000

/** A row with the number of its entries. */
type CountedRow = ReleaseRow & Pick<Release, 'entryCount'>

export function createReleaseStore(database: Database): ReleaseStore {
  const queries = releaseQueries(database)

  async function assertRow(id: number, row: Promise<CountedRow | undefined>): Promise<Release> {
    const found = await row
    if (found === undefined) throw AppError.notFound(`release ${id}`)
    return present(found)
  }

  return {
    async list({ status, entry }, range) {
      const { rows, total } = await queries.page({
        ...{ status: status ?? '', anyStatus: status === undefined, isOpen: status === 'open', yes: true },
        ...{ anyEntry: entry === undefined, contentType: '', entryId: 0, ...entry },
        ...range,
      })
      return { releases: rows.map(present), total }
    },
    scheduled: async (limit) => (await queries.scheduled.all({ status: 'scheduled', limit })).map(present),
    between: async (from, to, limit) => (await queries.between.all({ from, to, limit })).map(present),
    find: (id, on) => assertRow(id, queries.find.get({ id }, on)),
    lock: async (id, tx) => {
      await queries.lock.get({ id }, tx)
      return assertRow(id, queries.find.get({ id }, tx))
    },
    async insert(release, tx) {
      const now = new Date().toISOString()
      return (await queries.insert.run({ ...release, createdAt: now, updatedAt: now }, tx)).insertId
    },
    async update(id, release, tx) {
      await queries.update.run({ ...release, id, updatedAt: new Date().toISOString() }, tx)
    },
    async remove(id, tx) {
      await queries.remove.run({ id }, tx)
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

/** Shows a release whose publisher died as failed, although the publisher could not record that. */
function present({ claimedAt, ...row }: CountedRow): Release {
  const { id, name, scheduledAt, scheduledBy, publishedAt, entryCount, createdAt, updatedAt } = row
  const isDead = row.status === 'publishing' && Date.parse(claimedAt ?? '') < Date.now() - claimLifetimeMs
  const status = isDead ? 'failed' : row.status
  const error = isDead ? interrupted : row.error
  const times = { scheduledAt, scheduledBy, publishedAt }
  return { id, name, status, ...times, error, entryCount, createdAt, updatedAt }
}

function releaseQueries(database: Database) {
  const releases = releasesTable.on(database)
  return {
    ...countedQueries(database),
    ...claimQueries(database),
    lock: releases.find(['id'], { pick: ['id'], lock: true }),
    insert: releases.insert({
      columns: releasesTable.except('id', 'publishedAt', 'error', 'claim', 'claimedAt'),
    }),
    update: releases.update(['name', 'status', 'scheduledAt', 'scheduledBy', 'error', 'updatedAt'], ['id']),
    remove: releases.delete(['id']),
  }
}

/** Reads releases with their number of entries. */
function countedQueries(database: Database) {
  const { id, status, scheduledAt } = releasesTable.columns
  const item = releaseItemsTable.columns
  const count = sql`(select count(*) from ${releaseItemsTable}
    where ${item.releaseId} = ${releasesTable}.${id})`
  const selected = { ...releasesTable.columns, entryCount: column.integer() }
  const select = sql`select ${selectList(database, releasesTable.columns)}, ${count} as ${sql.identifier('entryCount')}
    from ${releasesTable}`
  const isYes = (value: Value, name: string) => sql`${value(name, 'boolean')} = ${value('yes', 'boolean')}`
  const isMeant = (value: Value) => sql`(${isYes(value, 'anyStatus')} or ${status} = ${value(status)}
      or (${isYes(value, 'isOpen')} and ${status} <> 'published'))
    and (${isYes(value, 'anyEntry')} or ${id} in (select ${item.releaseId} from ${releaseItemsTable}
      where ${item.contentType} = ${value(item.contentType)} and ${item.entryId} = ${value(item.entryId)}))`
  return {
    find: query(database, (value) => sql`${select} where ${id} = ${value(id)}`, selected),
    scheduled: query(
      database,
      (value) => sql`${select} where ${status} = ${value(status)} order by ${scheduledAt}, ${id}
        limit ${value('limit', 'integer')}`,
      selected,
    ),
    between: query(
      database,
      (value) => sql`${select} where ${scheduledAt} >= ${value(scheduledAt, 'from')}
        and ${scheduledAt} <= ${value(scheduledAt, 'to')} order by ${scheduledAt}, ${id}
        limit ${value('limit', 'integer')}`,
      selected,
    ),
    page: pageOf(
      query(
        database,
        (value) => sql`${select} where ${isMeant(value)} order by ${id} desc
          limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
        selected,
      ),
      releasesTable.on(database).count(isMeant),
    ),
  }
}

function claimQueries(database: Database) {
  const releases = releasesTable.on(database)
  const { id, status, claim, claimedAt, publishedAt, updatedAt, error } = releasesTable.columns
  const isClaimed = (value: Value) =>
    sql`${id} = ${value(id)} and ${status} = 'publishing' and ${claim} = ${value(claim)}`
  return {
    claim: releases.update(
      (value) => sql`${status} = 'publishing', ${claim} = ${value(claim)},
        ${claimedAt} = ${value(claimedAt, 'now')}, ${error} = null`,
      (value) => sql`${id} = ${value(id)} and (${status} in ('draft', 'scheduled', 'failed')
        or (${status} = 'publishing' and (${claim} = ${value(claim)} or ${claimedAt} < ${value(claimedAt, 'stale')})))`,
    ),
    finish: releases.update(
      (value) => sql`${status} = 'published', ${publishedAt} = ${value(publishedAt, 'now')},
        ${updatedAt} = ${value(updatedAt, 'now')}, ${claim} = null, ${claimedAt} = null, ${error} = null`,
      isClaimed,
    ),
    fail: releases.update(
      (value) => sql`${status} = 'failed', ${error} = ${value(error)},
        ${updatedAt} = ${value(updatedAt, 'now')}, ${claim} = null, ${claimedAt} = null`,
      isClaimed,
    ),
  }
}
