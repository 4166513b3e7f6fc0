import type { Content, EntryWriteRequest, Trash } from '../../entries/content/content.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { UnpublishTimes } from '../unpublish-times/unpublish-times.ts'
import type { BatchRow } from './tables.ts'
import type { Undo } from './undo-write.ts'

export interface RevertParts {
  readonly content: Content
  readonly trash: Trash
  /** Undefined if the plugin for unpublish times is off. */
  readonly times: UnpublishTimes | undefined
}

type Request = EntryWriteRequest & { readonly tx: Transaction }

/** Undoes one write of an entry that has not changed since, by writes with the caller's rights. */
export async function revertEntry(
  { content, trash, times }: RevertParts,
  operation: BatchRow['operation'],
  request: Request,
  undo: Undo,
): Promise<void> {
  if (operation === 'delete') await trash.restore(request)
  else if (operation === 'update') await revertUpdate(content, request, undo)
  else if (operation === 'publish') await revertPublish(content, request, undo)
  else await revertUnpublish(content, request, undo)
  if (times !== undefined) await revertTime(times, request, undo)
}

/**
 * Restores the time until which the entry is public. A time that has passed is ignored for a draft; for a public entry it is
 * refused, because the entry would stay public for too long.
 */
async function revertTime(times: UnpublishTimes, request: Request, undo: Undo): Promise<void> {
  const { unpublishAt, publishedAt } = undo
  const { type, id, principal, ip, tx } = request
  if (unpublishAt === undefined) return
  const isDraft = publishedAt === null || publishedAt === undefined
  if (isDraft && unpublishAt <= new Date().toISOString()) return
  await times.set(tx, { type, id, unpublishAt, publishedAt, principal, ip })
}

async function revertUpdate(content: Content, request: Request, undo: Undo): Promise<void> {
  if (undo.isDraftWrite && undo.draft === null) await content.discard(request)
  else await content.update(request, undo.values)
}

async function revertPublish(content: Content, request: Request, undo: Undo): Promise<void> {
  const { publishedAt, draft, values } = undo
  if (publishedAt === null || publishedAt === undefined) {
    await content.unpublish(request)
    return
  }
  if (draft !== null) {
    // The former public values first become a pending draft, like all changes of the entry, and are published; then the former
    // draft is saved again.
    await content.update(request, values)
    await content.publish(request)
    await content.update(request, draft)
    return
  }
  await content.publish(request, publishedAt)
}

async function revertUnpublish(content: Content, request: Request, undo: Undo): Promise<void> {
  const { publishedAt, draft } = undo
  if (publishedAt === null || publishedAt === undefined) return
  // Discarded first, because publishing would also publish the pending draft.
  if (draft !== null) await content.discard(request)
  await content.publish(request, publishedAt)
  if (draft !== null) await content.update(request, draft)
}
