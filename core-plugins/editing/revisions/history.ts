import { isDeepStrictEqual } from 'node:util'
import { AppError, type Principal, type Range } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { Restored, Restorer } from './restore-revision.ts'
import {
  type ListedRevision,
  presentRevision,
  type Revision,
  type RevisionDiff,
  type ShownRevision,
  summaryOf,
} from './revision.ts'
import type { RevisionAccess } from './revision-access.ts'
import type { RevisionStore } from './revision-store.ts'
import type { EntryKey } from './revisions.ts'

/** A request to restore a revision of an entry; `ifMatch` is the header. */
export interface RestoreRequest extends EntryKey {
  readonly principal: Principal
  readonly ip?: string | undefined
  readonly ifMatch?: string | undefined
}

/** The revisions of entries as callers may see them. Permissions must have been checked before. @throws AppError 404 */
export interface History {
  /** Newest first. */
  list(
    entry: EntryKey,
    options: { readonly range: Range; readonly withData: boolean },
    principal: Principal,
  ): Promise<{ readonly revisions: readonly ListedRevision[]; readonly total: number }>
  find(entry: EntryKey, revisionId: number, principal: Principal): Promise<ShownRevision>
  /** Without `to`, compares with the newest revision. */
  diff(
    entry: EntryKey,
    ids: { readonly from: number; readonly to: number | undefined },
    principal: Principal,
  ): Promise<RevisionDiff>
  /** @throws AppError 400, 409, 412 */
  restore(request: RestoreRequest, revisionId: number): Promise<Restored>
}

export interface HistoryDeps {
  readonly store: RevisionStore
  readonly restorer: Restorer
  readonly access: RevisionAccess
  readonly schemas: Schemas
  readonly max: () => number
}

export function createHistory({ store, restorer, access, schemas, max }: HistoryDeps): History {
  async function stored(entry: EntryKey, revisionId: number): Promise<Revision> {
    const found = await store.find(entry, max(), revisionId)
    if (found === undefined) throw AppError.notFound(`revision ${revisionId} of ${entry.type} ${entry.id}`)
    return found
  }

  /** The revisions with these ids, as the caller may see them. */
  async function shown<const Ids extends readonly number[]>(
    entry: EntryKey,
    principal: Principal,
    ids: Ids,
  ): Promise<{ [Index in keyof Ids]: Revision }> {
    const found: Revision[] = []
    for (const id of ids) found.push(await stored(entry, id))
    await access.assertVisible(entry, principal)
    return (await access.shown(entry, found, principal)) as { [Index in keyof Ids]: Revision }
  }

  return {
    async list(entry, { range, withData }, principal) {
      const { revisions, total } = await store.list(entry, max(), range)
      await (total === 0 ? access.assertEntry(entry, principal) : access.assertVisible(entry, principal))
      if (!withData) return { revisions: revisions.map(summaryOf), total }
      const visible = await access.shown(entry, revisions, principal)
      return { revisions: visible.map(presentRevision), total }
    },
    async find(entry, revisionId, principal) {
      const [revision] = await shown(entry, principal, [revisionId])
      return presentRevision(revision)
    },
    async diff(entry, ids, principal) {
      const newest = ids.to === undefined ? await store.findNewest(entry) : undefined
      const [from, to] = await shown(entry, principal, [ids.from, ids.to ?? newest?.id ?? ids.from])
      return diffOf(from, to)
    },
    async restore({ ifMatch, ip, principal, ...entry }, revisionId) {
      const whole = await stored(entry, revisionId)
      await access.assertVisible(entry, principal)
      const revision = await access.restorable(entry, whole, principal)
      const type: ContentType | undefined = schemas.types.get(entry.type)
      if (type === undefined) throw AppError.notFound(`content type ${entry.type}`)
      return restorer.restore({ type: type.name, id: entry.id, principal, ip, ifMatch }, type, revision)
    },
  }
}

function diffOf(from: Revision, to: Revision): RevisionDiff {
  const names = [...new Set([...Object.keys(from.data), ...Object.keys(to.data)])]
  const fields = names
    .map((field) => ({ field, from: from.data[field] ?? null, to: to.data[field] ?? null }))
    .filter((change) => !isDeepStrictEqual(change.from, change.to))
  return { from: summaryOf(from), to: summaryOf(to), fields }
}
