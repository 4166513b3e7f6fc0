import type { Content } from '../../entries/content/content.ts'
import type { Database } from '../../foundation/database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { ItemStore, NewItem } from './item-store.ts'
import { lockOpen } from './release-changes.ts'
import type { ReleaseRights } from './release-rights.ts'
import type { ReleaseStore } from './release-store.ts'
import type { ReleaseAction, ReleaseItem } from './releases.ts'
import { itself } from './scheduled-publication.ts'

/** Entries of one type to put into a release. */
export interface NewItems {
  readonly contentType: string
  readonly entryIds: readonly number[]
  readonly action: ReleaseAction
}

export interface PutItems {
  readonly added: number
  /** The number of entries that were in the release with the other action. */
  readonly changed: number
}

/** Changes to the entries of releases. */
export interface ItemChanges {
  /** @throws AppError 400, 403, 404, 409 */
  add(id: number, item: NewItem, principal: Principal): Promise<ReleaseItem>
  /** Adds entries, and sets the action of entries that are already in the release. @throws AppError 400, 403, 404, 409 */
  put(id: number, items: NewItems, principal: Principal): Promise<PutItems>
  /** For administrators, and callers who may publish the entry's type. @throws AppError 403, 404, 409 */
  remove(id: number, itemId: number, principal: Principal): Promise<void>
}

export interface ItemChangesDeps {
  readonly store: ReleaseStore
  readonly items: ItemStore
  readonly rights: ReleaseRights
  readonly database: Database
  readonly content: Content
  readonly schemas: Schemas
}

/** The limit of entries in one release, and in one request. */
export const maxItems = 1_000

export function createItemChanges(deps: ItemChangesDeps): ItemChanges {
  const { store, items, rights, database } = deps

  async function assertMayPut(id: number, { contentType, entryIds }: NewItems, principal: Principal) {
    await store.find(id)
    rights.assertPublisher(principal, [contentType])
    await assertThere(deps, contentType, entryIds)
  }

  return {
    async add(id, item, principal) {
      const { contentType, entryId } = item
      await assertMayPut(id, { ...item, entryIds: [entryId] }, principal)
      return database.transaction(async (tx) => {
        assertRoom((await lockOpen(store, id, tx)).entryCount + 1)
        const added = await items.insert(id, item, tx)
        if (added !== undefined) return added
        throw new AppError('CONFLICT', `${contentType} ${entryId} is already in the release`)
      })
    },
    async put(id, wanted, principal) {
      await assertMayPut(id, wanted, principal)
      const { contentType, action } = wanted
      return database.transaction(async (tx) => {
        const { entryCount } = await lockOpen(store, id, tx)
        const known = (await items.all(id, tx)).filter((item) => item.contentType === contentType)
        const byEntry = new Map(known.map((item) => [item.entryId, item]))
        const entryIds = [...new Set(wanted.entryIds)]
        const fresh = entryIds.filter((entryId) => !byEntry.has(entryId))
        assertRoom(entryCount + fresh.length)
        const changed = entryIds.flatMap((entryId) => {
          const item = byEntry.get(entryId)
          return item === undefined || item.action === action ? [] : [item.id]
        })
        await items.insertMany(
          id,
          fresh.map((entryId) => ({ contentType, entryId, action })),
          tx,
        )
        await items.setAction(changed, action, tx)
        return { added: fresh.length, changed: changed.length }
      })
    },
    remove: (id, itemId, principal) =>
      database.transaction(async (tx) => {
        await lockOpen(store, id, tx)
        const item = await items.find(id, itemId, tx)
        if (item !== undefined && !rights.mayManage(principal)) {
          const { contentType } = item
          if (!rights.mayKnowOf(principal, contentType))
            throw AppError.notFound(`entry ${itemId} of release ${id}`)
          rights.assertPublisher(principal, [contentType])
        }
        await items.remove(id, itemId, tx)
      }),
  }
}

function assertRoom(count: number): void {
  if (count > maxItems) throw new AppError('CONFLICT', `a release takes at most ${maxItems} entries`)
}

/** @throws AppError 400 */
async function assertThere(
  { schemas, content }: ItemChangesDeps,
  contentType: string,
  ids: readonly number[],
): Promise<void> {
  const type = schemas.types.get(contentType)
  if (type === undefined) {
    const message = `there is no content type ${contentType}`
    throw AppError.invalid([{ path: 'contentType', code: 'unknown', message }])
  }
  if (!type.options.draftAndPublish) {
    const message = `${contentType} has no drafts`
    throw AppError.invalid([{ path: 'contentType', code: 'unsupported', message }])
  }
  const found = await content.findMany(contentType, ids, { principal: itself, fields: ['id'] })
  const known = new Set(found.map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) throw AppError.invalid(missing.slice(0, 20).map((id) => isMissing(contentType, id)))
}

function isMissing(contentType: string, id: number): ErrorDetail {
  return { path: 'entryId', code: 'reference', message: `there is no ${contentType} with id ${id}` }
}
