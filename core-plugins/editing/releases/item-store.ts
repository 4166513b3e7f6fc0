import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  type InList,
  type Queries,
  query,
  selectList,
  type Transaction,
  type Value,
} from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { ReleaseAction, ReleaseItem } from './releases.ts'
import { releaseItemsTable, releasesTable } from './tables.ts'

export type NewItem = Pick<ReleaseItem, 'contentType' | 'entryId' | 'action'>

/** An entry of a release that another unpublished release also contains. */
export interface SharedItem {
  readonly itemId: number
  readonly releaseId: number
  readonly name: string
  readonly scheduledAt: string | null
  readonly action: ReleaseAction
}

/** The rows of `svc_release_items`. */
export interface ItemStore {
  /** In the order in which they were added. */
  all(releaseId: number, on?: Queries): Promise<ReleaseItem[]>
  /** The entries of several releases, with one query. */
  ofReleases(releaseIds: readonly number[]): Promise<(ReleaseItem & { readonly releaseId: number })[]>
  /** The types of a release's entries. */
  types(releaseId: number, on?: Queries): Promise<readonly string[]>
  /** Undefined if it is not in the release. */
  find(releaseId: number, itemId: number, tx: Transaction): Promise<ReleaseItem | undefined>
  /** Undefined if the release already contains the entry. */
  insert(releaseId: number, item: NewItem, tx: Transaction): Promise<ReleaseItem | undefined>
  insertMany(releaseId: number, items: readonly NewItem[], tx: Transaction): Promise<void>
  setAction(itemIds: readonly number[], action: ReleaseAction, tx: Transaction): Promise<void>
  /** @throws AppError 404 */
  remove(releaseId: number, itemId: number, tx: Transaction): Promise<void>
  /** The entries of a release that other unpublished releases also contain. */
  shared(releaseId: number): Promise<readonly SharedItem[]>
}

export function createItemStore(database: Database): ItemStore {
  const queries = itemQueries(database)
  const rowOf = (releaseId: number, item: NewItem) => ({
    ...{ releaseId, ...item, createdAt: new Date().toISOString() },
  })
  return {
    all: (releaseId, on) => queries.all.all({ releaseId }, on),
    ofReleases: (releaseIds) => queries.ofReleases.all({ releaseIds }),
    types: async (releaseId, on) =>
      (await queries.types.all({ releaseId }, on)).map(({ contentType }) => contentType),
    find: (releaseId, id, tx) => queries.find.get({ releaseId, id }, tx),
    async insert(releaseId, item, tx) {
      if ((await queries.findEntry.get({ releaseId, ...item }, tx)) !== undefined) return undefined
      const row = rowOf(releaseId, item)
      const { insertId } = await queries.insert.run(row, tx)
      return { id: insertId, ...item, createdAt: row.createdAt }
    },
    async insertMany(releaseId, items, tx) {
      if (items.length === 0) return
      await queries.insertMany(
        items.map((item) => rowOf(releaseId, item)),
        tx,
      )
    },
    async setAction(itemIds, action, tx) {
      if (itemIds.length > 0) await queries.setAction.run({ itemIds, action }, tx)
    },
    async remove(releaseId, id, tx) {
      const { changes } = await queries.remove.run({ releaseId, id }, tx)
      if (changes === 0) throw AppError.notFound(`entry ${id} of release ${releaseId}`)
    },
    shared: (releaseId) => queries.shared.all({ releaseId }),
  }
}

const shown = releaseItemsTable.except('releaseId')

function itemQueries(database: Database) {
  const items = releaseItemsTable.on(database)
  const { id, releaseId, contentType, action } = releaseItemsTable.columns
  return {
    all: items.find(['releaseId'], { pick: shown, orderBy: sql`${id}` }),
    ofReleases: items.find((_value: Value, inList: InList) => inList(releaseId, 'releaseIds'), {
      pick: [...shown, 'releaseId'],
      orderBy: sql`${id}`,
    }),
    types: query<{ readonly contentType: string }>(
      database,
      (value) =>
        sql`select distinct ${selectList(database, { contentType })} from ${releaseItemsTable}
          where ${releaseId} = ${value(releaseId)}`,
      { contentType },
    ),
    find: items.find(['releaseId', 'id'], { pick: shown }),
    findEntry: items.find(['releaseId', 'contentType', 'entryId'], { pick: ['id'] }),
    insert: items.insert(),
    insertMany: items.insertMany(),
    setAction: items.update(
      (value) => sql`${action} = ${value(action)}`,
      (_value, inList) => inList(id, 'itemIds'),
    ),
    remove: items.delete(['releaseId', 'id']),
    shared: sharedQuery(database),
  }
}

function sharedQuery(database: Database) {
  const columns = {
    itemId: { column: 'item_id', kind: 'integer' },
    releaseId: { column: 'release_id', kind: 'integer' },
    name: { column: 'name', kind: 'string' },
    scheduledAt: { column: 'scheduled_at', kind: 'datetime' },
    action: { column: 'action', kind: 'string' },
  } as const satisfies Columns
  return query<SharedItem>(
    database,
    (value) => sql`select ${selectList(database, columns)} from
      (select i.id as item_id, r.id as release_id, r.name, r.scheduled_at, o.action
        from ${releaseItemsTable} i
        join ${releaseItemsTable} o on o.type = i.type and o.entry_id = i.entry_id and o.release_id <> i.release_id
        join ${releasesTable} r on r.id = o.release_id
        where i.release_id = ${value('releaseId', 'integer')} and r.status <> 'published') as found
      order by item_id, release_id limit 1000`,
    columns,
  )
}
