import type { Content } from '../../entries/content/content.ts'
import { findTitles } from '../../entries/content-types/content-types.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { ItemStore } from './item-store.ts'
import { presentWholeRelease } from './release.ts'
import type { ReleaseRights } from './release-rights.ts'
import type { ReleaseStore } from './release-store.ts'

export interface WholeReleaseDeps {
  readonly store: ReleaseStore
  readonly items: ItemStore
  readonly rights: ReleaseRights
  readonly content: Content
  readonly schemas: Schemas
}

/** A release with its entries and the actions open to the caller, as far as the caller may know them. */
export async function wholeRelease(deps: WholeReleaseDeps, id: number, principal: Principal) {
  const { store, items, rights, content, schemas } = deps
  const release = await store.find(id)
  const all = await items.all(id)
  const known = all.filter(({ contentType }) => rights.mayKnowOf(principal, contentType))
  const wanted = known.flatMap(({ contentType, entryId }) => {
    const type = schemas.types.get(contentType)
    return type !== undefined && rights.mayReadType(principal, contentType) ? [{ type, id: entryId }] : []
  })
  const titles = await findTitles(content, wanted, principal)
  const mayPublish = all.every(({ contentType }) => rights.mayPublish(principal, contentType))
  return presentWholeRelease({
    ...rights.shown(release, principal),
    entries: known.map((item) => {
      const type = schemas.types.get(item.contentType)
      const title = type && titles.get(type)?.get(item.entryId)
      return { ...item, title: title ?? null, visible: title !== undefined }
    }),
    hidden: all.length - known.length,
    mayPublish,
    mayDelete: mayPublish || rights.mayManage(principal),
  })
}
