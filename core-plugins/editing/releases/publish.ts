import type { PluginContext } from '../../../kernel/index.ts'
import type { BulkWrites } from '../../entries/content/content.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { ItemStore } from './item-store.ts'
import type { ReleaseRights } from './release-rights.ts'
import type { ReleaseStore } from './release-store.ts'
import { type Release, type ReleaseItem, releaseFailed, releasePublished } from './releases.ts'

export interface PublishRequest {
  readonly id: number
  readonly principal: Principal
  /** The client's address; undefined for a job. */
  readonly ip: string | undefined
  /** Identifies the publisher: a retry with the same claim continues its attempt. */
  readonly claim: string
}

/**
 * Publishes or unpublishes all entries of a release in one transaction, or none.
 * @throws AppError 404; 409 if it is already published or being published; 409 listing every entry that
 * prevented it, and the release has then `failed`
 */
export type PublishRelease = (request: PublishRequest) => Promise<Release>

export interface PublishDeps {
  readonly store: ReleaseStore
  readonly items: ItemStore
  readonly rights: ReleaseRights
  readonly database: Database
  readonly bulkWrites: BulkWrites
  readonly emit: PluginContext['emit']
}

export function createPublish(deps: PublishDeps): PublishRelease {
  const { store, items, rights, database, bulkWrites, emit } = deps

  async function changeAll(tx: Transaction, { id, principal, ip, claim }: PublishRequest): Promise<void> {
    const all = await items.all(id, tx)
    if (all.length === 0) throw new AppError('CONFLICT', 'there are no entries in it')
    for (const { type, action, ids } of groupsOf(all)) {
      rights.assertPublisher(principal, [type])
      const request = { type, principal, ip, tx }
      await (action === 'publish'
        ? bulkWrites.publishMany(request, ids)
        : bulkWrites.unpublishMany(request, ids))
    }
    if (!(await store.finish(id, claim, tx)))
      throw new AppError('CONFLICT', 'it is now being published by somebody else')
  }

  async function giveUp({ id, claim }: PublishRequest, error: unknown): Promise<void> {
    const reason = error instanceof AppError ? error.message : 'an unexpected error occurred; see the log'
    const details = error instanceof AppError ? (error.details ?? []) : []
    if (!(await store.fail(id, claim, { message: reason, details }))) return
    await emit(releaseFailed, { release: await store.find(id) })
  }

  return async (request) => {
    const { id, claim } = request
    if (!(await store.claim(id, claim))) throw notNow(await store.find(id))
    try {
      await database.transaction((tx) => changeAll(tx, request))
    } catch (error) {
      await giveUp(request, error)
      throw error instanceof AppError ? notPublished(error) : error
    }
    const release = await store.find(id)
    await emit(releasePublished, { release })
    return release
  }
}

/** Sorted the same way for all releases, so that two of them cannot deadlock over entries. */
function groupsOf(items: readonly ReleaseItem[]) {
  const groups = new Map<string, { type: string; action: ReleaseItem['action']; ids: number[] }>()
  for (const { contentType: type, action, entryId } of items) {
    const key = `${type} ${action}`
    const group = groups.get(key) ?? { type, action, ids: [] }
    groups.set(key, group)
    group.ids.push(entryId)
  }
  return [...groups.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group)
}

function notNow({ id, status }: Release): AppError {
  return new AppError('CONFLICT', `release ${id} is ${status} and cannot be published`)
}

/** Reported as a conflict, even if an entry is missing: the release itself exists. */
function notPublished(error: AppError): AppError {
  const isConflict = error.status === 409 || error.status === 403 || error.status === 503
  const message = `the release was not published: ${error.message}`
  const told = { details: error.details, cause: error }
  return isConflict ? AppError.reworded(error, message, told) : new AppError('CONFLICT', message, told)
}
