import type { Auth } from '../../accounts/auth/auth.ts'
import type { Audit } from '../../background/audit/audit.ts'
import { assertVersion, type Entry, type StoredEntries } from '../../entries/content/content.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { TimeStore } from './time-store.ts'

/** The new time of an entry, and the caller that sets it; null removes the time. */
export interface TimeChange {
  readonly type: string
  readonly id: number
  readonly unpublishAt: string | null
  readonly principal: Principal
  readonly ip?: string | undefined
}

/** A change by a request, which may name the version of the entry that the client knows. */
export interface TimeRequest extends TimeChange {
  readonly ifMatch?: string | undefined
}

export interface TimeChanges {
  /** Sets the time of an entry that the transaction has locked; the caller has checked the time. */
  put(tx: Transaction, change: TimeChange): Promise<void>
  /** Sets the time without publishing. @throws AppError 400, 404, 412 */
  set(change: TimeRequest): Promise<void>
}

export interface TimeChangesDeps {
  readonly store: TimeStore
  readonly database: Database
  readonly storedEntries: StoredEntries
  readonly schemas: Schemas
  readonly auth: Auth
  /** Undefined if there is no audit log. */
  readonly audit: Audit | undefined
  /** Creates the job that unpublishes the entry. */
  readonly schedule: (tx: Transaction, time: DueTime) => Promise<void>
}

/** An entry with the time at which it is to be unpublished. */
export interface DueTime {
  readonly contentType: string
  readonly entryId: number
  readonly unpublishAt: string
}

export function createTimeChanges(deps: TimeChangesDeps): TimeChanges {
  const { store, database, storedEntries, schemas, auth, audit, schedule } = deps

  /** The account whose rights will apply at that time; null: the service itself. */
  function setterOf(principal: Principal): string | null {
    if (principal.kind === 'token' && principal.id === 0) return null
    if (principal.kind === 'admin' || principal.kind === 'token') return auth.makers.nameOf(principal)
    throw AppError.forbidden('only admin users and API tokens may set a time to unpublish an entry')
  }

  async function put(tx: Transaction, { type, id, unpublishAt, principal, ip }: TimeChange): Promise<void> {
    const stored = (await store.lock(type, [id], tx)).get(id)
    if ((stored?.unpublishAt ?? null) === unpublishAt) return
    if (unpublishAt === null) {
      await store.remove(type, [id], tx)
    } else {
      await store.put(type, id, { unpublishAt, setBy: setterOf(principal) }, tx)
      await schedule(tx, { contentType: type, entryId: id, unpublishAt })
    }
    const record = { principal, resource: `${type}:${id}`, details: { unpublishAt }, ip }
    await audit?.record({ action: 'content.unpublishAt', ...record }, tx)
  }

  return {
    put,
    async set(change) {
      const { type, id, unpublishAt, principal } = change
      if (schemas.types.get(type)?.options.draftAndPublish === false) throw withoutDrafts(type)
      await database.transaction(async (tx) => {
        const [entry] = await storedEntries.lock({ type, principal, tx }, [id])
        if (entry === undefined) throw AppError.notFound(`${type} ${id}`)
        const draft = (await storedEntries.drafts(type, [id], tx)).get(id)
        assertVersion(
          change.ifMatch,
          latestVersion(entry, auth.seesDrafts(principal, type) ? draft : undefined),
        )
        if (unpublishAt !== null) assertInOrder(unpublishAt, entry.published_at)
        await put(tx, change)
      })
    },
  }
}

/** The version that readers of drafts know. */
function latestVersion(entry: Entry, draft: { readonly updatedAt: string } | undefined): Entry {
  const { updated_at } = entry
  return draft === undefined || String(updated_at) > draft.updatedAt
    ? entry
    : { ...entry, updated_at: draft.updatedAt }
}

/** Requires a time in the future and after the publication. @throws AppError 400 */
export function assertInOrder(unpublishAt: string, publishedAt: unknown): void {
  if (unpublishAt <= new Date().toISOString()) throw refused('past', 'must be in the future')
  if (typeof publishedAt !== 'string' || unpublishAt > publishedAt) return
  throw refused('order', `must be later than ${publishedAt}, when the entry becomes public`)
}

function refused(code: string, message: string): AppError {
  return AppError.invalid([{ path: 'unpublishAt', code, message }])
}

function withoutDrafts(type: string): AppError {
  const message = `${type} has no drafts; set options.draftAndPublish in its schema to unpublish entries`
  return AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}
