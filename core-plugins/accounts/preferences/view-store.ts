import { sql } from 'drizzle-orm'
import { createKeyedMailbox } from '../../../kernel/index.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type ViewRow, viewsTable } from './tables.ts'

/** The maximum number of views per type and admin user. */
export const maxOwnViews = 100
/** The maximum number of shared views per type. */
export const maxSharedViews = 200

/** The writable fields of a view. */
export interface ViewContent {
  readonly name: string
  readonly config: unknown
  /** The roles with which it is shared; null: private. */
  readonly roles: readonly string[] | null
}

/** Saved lists of entries: filters, columns, order. */
export interface ViewStore {
  /** The owner's views and the shared ones, by name. */
  list(type: string, ownerId: number): Promise<readonly ViewRow[]>
  find(id: number): Promise<ViewRow | undefined>
  /** @throws AppError 409 if there are too many */
  create(type: string, ownerId: number, content: ViewContent): Promise<ViewRow>
  /** @throws AppError 404, 409, or what `change` throws */
  update(id: number, change: (view: ViewRow) => ViewContent): Promise<ViewRow>
  /** @throws AppError 404, or what `check` throws */
  remove(id: number, check: (view: ViewRow) => void): Promise<void>
}

export function createViewStore(database: Database): ViewStore {
  const queries = viewQueries(database)
  // In sequence, so that concurrent requests cannot exceed the limits together.
  const writes = createKeyedMailbox()

  async function assertRoom(type: string, ownerId: number, { isNew, isShared }: Growth) {
    const own = isNew ? ((await queries.countOwn.get({ type, ownerId }))?.total ?? 0) : 0
    const shared = isShared ? ((await queries.countShared.get({ type, isShared }))?.total ?? 0) : 0
    if (own >= maxOwnViews || shared >= maxSharedViews) {
      throw new AppError('CONFLICT', `there are too many views of ${type} already; delete one first`)
    }
  }

  async function lock(id: number, tx: Transaction): Promise<ViewRow> {
    const view = await queries.lock.get({ id }, tx)
    if (view === undefined) throw AppError.notFound('view')
    return view
  }

  return {
    list: (type, ownerId) => queries.list.all({ type, ownerId, isShared: true }),
    find: (id) => queries.find.get({ id }),
    create: (type, ownerId, content) =>
      writes.run(type, async () => {
        const now = new Date().toISOString()
        const row = { type, ownerId, ...rowOf(content), createdAt: now, updatedAt: now }
        await assertRoom(type, ownerId, { isNew: true, isShared: row.isShared })
        const { insertId } = await queries.insert.run(row)
        return { ...row, id: insertId }
      }),
    async update(id, change) {
      const type = (await queries.find.get({ id }))?.type ?? ''
      return writes.run(type, () =>
        database.transaction(async (tx) => {
          const view = await lock(id, tx)
          const changed = { ...view, ...rowOf(change(view)), updatedAt: new Date().toISOString() }
          const isShared = changed.isShared && !view.isShared
          await assertRoom(view.type, view.ownerId, { isNew: false, isShared })
          await queries.update.run(changed, tx)
          return changed
        }),
      )
    },
    remove: (id, check) =>
      database.transaction(async (tx) => {
        check(await lock(id, tx))
        await queries.remove.run({ id }, tx)
      }),
  }
}

interface Growth {
  readonly isNew: boolean
  readonly isShared: boolean
}

function rowOf({ name, config, roles }: ViewContent) {
  return { name, config: JSON.stringify(config), roles, isShared: roles !== null }
}

function viewQueries(database: Database) {
  const views = viewsTable.on(database)
  const { id, type, name, ownerId, isShared } = viewsTable.columns
  return {
    list: views.find(
      (value) =>
        sql`${type} = ${value(type)} and (${ownerId} = ${value(ownerId)} or ${isShared} = ${value(isShared)})`,
      { orderBy: sql`${name}, ${id}` },
    ),
    find: views.find(['id']),
    lock: views.find(['id'], { lock: true }),
    countOwn: views.count(['type', 'ownerId']),
    countShared: views.count(['type', 'isShared']),
    insert: views.insert(),
    update: views.update(['name', 'config', 'roles', 'isShared', 'updatedAt'], ['id']),
    remove: views.delete(['id']),
  }
}
