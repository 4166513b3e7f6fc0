import type { PluginContext } from '../../kernel/index.ts'
import type { Auth } from '../auth/auth.ts'
import type { Content } from '../content/content.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError, type Principal } from '../http/http.ts'
import type { ReleaseStore } from './release-store.ts'
import { type Release, type ReleaseItem, releaseFailed, releasePublished } from './releases.ts'

export interface PublishRequest {
  readonly id: number
  readonly principal: Principal
  /** The client's address; undefined for a job. */
  readonly ip: string | undefined
  /** Who publishes: whoever comes with the same claim goes on with what it has begun. */
  readonly claim: string
}

/**
 * Changes all entries of a release in one transaction, or none.
 * @throws AppError 404; 409 where it is published already or being published; 409 with every entry that stood in the
 * way, and then the release has `failed`
 */
export type PublishRelease = (request: PublishRequest) => Promise<Release>

export interface PublishScope {
  readonly store: ReleaseStore
  readonly database: Database
  readonly content: Content
  readonly auth: Auth
  readonly emit: PluginContext['emit']
}

export function createPublish({ store, database, content, auth, emit }: PublishScope): PublishRelease {
  async function changeAll(tx: Transaction, { id, principal, ip, claim }: PublishRequest): Promise<void> {
    const items = await store.items(id, tx)
    if (items.length === 0) throw new AppError('CONFLICT', 'there are no entries in it')
    for (const { type, action, ids } of groupsOf(items)) {
      requirePublisher(auth, principal, type)
      const request = { type, principal, ip, tx }
      await (action === 'publish' ? content.publishMany(request, ids) : content.unpublishMany(request, ids))
    }
    if (!(await store.finish(id, claim, tx)))
      throw new AppError('CONFLICT', 'somebody else publishes it by now')
  }

  async function giveUp({ id, claim }: PublishRequest, error: unknown): Promise<void> {
    const reason = error instanceof AppError ? error.message : 'something unforeseen happened; see the log'
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

/** Who may publish entries of the type may have a release do it. */
export function requirePublisher(auth: Auth, principal: Principal, type: string): void {
  if (auth.mayContent(principal, type, 'publish')) return
  throw AppError.forbidden(
    'whoever publishes or schedules a release must be allowed to publish all that is in it',
  )
}

/** In one order for all releases, so that two of them do not wait for each other's entries. */
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

/** What stood in the way is a conflict, also where an entry is gone: the release itself is there. */
function notPublished(error: AppError): AppError {
  const isConflict = error.status === 409 || error.status === 403 || error.status === 503
  const details = error.details === undefined ? {} : { details: error.details }
  return new AppError(
    isConflict ? error.code : 'CONFLICT',
    `the release was not published: ${error.message}`,
    {
      ...details,
      cause: error,
    },
  )
}
