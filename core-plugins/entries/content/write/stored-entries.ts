import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import { withDraft } from '../drafts/draft-overlay.ts'
import type { Entry } from '../entry/entry.ts'
import { assertVersion } from '../entry/version.ts'
import type { StoredEntry } from '../write-context.ts'
import type { EntryWriteRequest } from '../write-request.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'

/** Locks the entry to write. @throws AppError 404, also if the caller may not see it; 412 */
export async function openEntry(
  deps: WriteDeps,
  type: WritableType,
  request: EntryWriteRequest,
  tx: Transaction,
): Promise<StoredEntry> {
  const row = await type.store.load(request.id, tx)
  if (row === undefined || !maySee(deps, type, row, request.principal)) {
    throw AppError.notFound(`${type.model.type.name} ${request.id}`)
  }
  return openRow(deps, type, request, row, tx)
}

/** The same for a row that is already locked, without checking whether the caller may see it. @throws AppError 412 */
export async function openRow(
  { auth }: WriteDeps,
  type: WritableType,
  { ifMatch, principal }: EntryWriteRequest,
  row: Entry,
  tx: Transaction,
): Promise<StoredEntry> {
  const stored = await withItsDraft(type, row, tx)
  const seesDrafts = auth.seesDrafts(principal, type.model.type.name)
  assertVersion(ifMatch, seesDrafts ? latestOf(type, stored) : row)
  return stored
}

/** Locks many entries with one query. @throws AppError 404 naming those that the caller cannot see */
export async function openMany(
  deps: WriteDeps,
  type: WritableType,
  ids: readonly number[],
  principal: Principal,
  tx: Transaction,
): Promise<readonly StoredEntry[]> {
  const found = (await type.store.loadMany(ids, tx)).filter((row) => maySee(deps, type, row, principal))
  assertAllFound(type, found, ids)
  return withTheirDrafts(type, found, tx)
}

/** @throws AppError 404 naming the ids that were not found */
export function assertAllFound(
  { model: { type } }: WritableType,
  found: readonly Entry[],
  ids: readonly number[],
): void {
  const foundIds = new Set(found.map(({ id }) => id))
  const missing = [...new Set(ids)].filter((id) => !foundIds.has(id))
  if (missing.length > 0) throw AppError.notFound(`${type.name} ${missing.slice(0, 20).join(', ')}`)
}

/** Adds the pending drafts to locked rows. */
export async function withTheirDrafts(
  { drafts, model }: WritableType,
  rows: readonly Entry[],
  tx: Transaction,
): Promise<StoredEntry[]> {
  if (drafts === undefined || rows.length === 0) return rows.map((row) => ({ row, draft: undefined }))
  const ids = rows.map(({ id }) => id)
  const found = await drafts.load(model.type, ids, tx)
  return rows.map((row) => ({ row, draft: found.get(row.id) }))
}

export async function withItsDraft(type: WritableType, row: Entry, tx: Transaction): Promise<StoredEntry> {
  const [stored] = await withTheirDrafts(type, [row], tx)
  return stored ?? { row, draft: undefined }
}

/** The entry that a change starts from: with its draft applied. */
export function latestOf({ model }: WritableType, { row, draft }: StoredEntry): Entry {
  return withDraft(model, row, draft)
}

/** The states in which an entry can be read: with its draft applied and, if it has a draft, also without it. */
export function formsOf(type: WritableType, stored: StoredEntry): readonly Entry[] {
  const latest = latestOf(type, stored)
  return stored.draft === undefined ? [latest] : [latest, stored.row]
}

/** Drafts are visible only to callers who see the drafts of the type. */
export function maySee(
  { auth }: WriteDeps,
  { model: { type } }: WritableType,
  row: Entry,
  principal: Principal,
): boolean {
  if (!type.options.draftAndPublish) return true
  return auth.seesDrafts(principal, type.name) || isPublishedAt(row, new Date().toISOString())
}

/** Whether an entry of a type with drafts is published at a given time (ISO 8601). */
export function isPublishedAt(entry: Entry, now: string): boolean {
  return typeof entry.published_at === 'string' && entry.published_at <= now
}

/** Whether an update goes to the entry's pending draft. `now` is ISO 8601. */
export function goesIntoDraft({ drafts }: WritableType, { row, draft }: StoredEntry, now: string): boolean {
  return drafts !== undefined && (draft !== undefined || isPublishedAt(row, now))
}
