import type { Entry } from '../entry/entry.ts'
import type { PublicationTimes } from '../publication-times.ts'
import type { EntryToSave, SavedEntry, SaveOptions } from '../write/saving/entry-to-save.ts'
import type { EntryWriteRequest, SingleWriteRequest, WriteRequest } from '../write-request.ts'
import { checkCreate, checkUpdate, type WriteCheck } from './check.ts'
import { create } from './create.ts'
import { deleteOne } from './delete.ts'
import { deleteMany } from './delete-many.ts'
import { discard } from './discard.ts'
import { type EmptiedTrash, emptyTrash } from './empty-trash.ts'
import { link, unlink } from './link.ts'
import type { Operation } from './operation.ts'
import { publish, unpublish } from './publish.ts'
import { publishMany, unpublishMany } from './publish-many.ts'
import { purge } from './purge.ts'
import { restore } from './restore.ts'
import { saveMany } from './save-many.ts'
import { deleteSingle, putSingle } from './single.ts'
import { update } from './update.ts'
import { updateMany } from './update-many.ts'

/** Writes of one entry, each in a transaction with its middleware and events. */
export interface ContentWrites {
  create(request: WriteRequest, data: unknown): Promise<Entry>
  update(request: EntryWriteRequest, data: unknown): Promise<Entry>
  delete(request: EntryWriteRequest): Promise<Entry>
  /**
   * Publishes now, or at `publishedAt` if that is in the future. A string stands for `publishedAt`. `unpublishAt` is refused
   * (400) if no plugin carries it out.
   */
  publish(request: EntryWriteRequest, times?: string | PublicationTimes): Promise<Entry>
  unpublish(request: EntryWriteRequest): Promise<Entry>
  /** Discards the pending draft of an entry and returns the entry. @throws AppError 403; 404 if it has no draft */
  discard(request: EntryWriteRequest): Promise<Entry>
  /** Sets a to-one relation, or appends to a to-many one; works from either side. */
  link(request: EntryWriteRequest, field: string, targetId: number): Promise<Entry>
  unlink(request: EntryWriteRequest, field: string, targetId: number): Promise<Entry>
  /** Creates or updates the entry of a single type; `isNew` says which. */
  putSingle(request: SingleWriteRequest, data: unknown): Promise<{ entry: Entry; isNew: boolean }>
  deleteSingle(request: SingleWriteRequest): Promise<Entry>
  /**
   * Whether `create` (or `putSingle`, for a single type) would accept the payload. Costs as much as the write: it is carried out
   * with its middleware and rolled back, so that nothing is stored and no event sent.
   */
  checkCreate(request: WriteRequest | SingleWriteRequest, data: unknown): Promise<WriteCheck>
  /**
   * The same for `update`; with `isPublishing`, also reports what the entry would lack to be published. @throws AppError 404, 412
   */
  checkUpdate(request: EntryWriteRequest, data: unknown, isPublishing?: boolean): Promise<WriteCheck>
}

/**
 * Writes many entries of a type in one transaction: all of them or none. The middleware of up to fifty entries runs concurrently
 * and their statements are combined, so no stage may wait for the stage of another entry.
 * @throws AppError as the REST API reports it
 */
export interface BulkWrites {
  /** Returns the ids of the entries. */
  updateMany(request: WriteRequest, ids: readonly number[], data: unknown): Promise<readonly number[]>
  /** Deletes one entry after the other, because a delete may change or delete other entries. Returns the ids. */
  deleteMany(request: WriteRequest, ids: readonly number[]): Promise<readonly number[]>
  /** Publishes now. Error details name entries as `article:7`. */
  publishMany(request: WriteRequest, ids: readonly number[]): Promise<void>
  /** Like `publishMany`. */
  unpublishMany(request: WriteRequest, ids: readonly number[]): Promise<void>
  /**
   * Creates entries; with `match`, it updates the matching entries that already exist, and likewise the entry of a single type.
   * Entries whose payload equals what is stored stay untouched: no event, no revision. Error details name payloads by their
   * position: `3.title`.
   * @throws RowsRefused with the problems of all payloads, as far as they can be reported together
   */
  saveMany(
    request: WriteRequest,
    entries: readonly EntryToSave[],
    options?: SaveOptions,
  ): Promise<readonly SavedEntry[]>
}

/** Operations on entries in the trash; for administrators who may delete entries of the type. */
export interface Trash {
  /** Restores a soft-deleted entry. @throws AppError 404, 409, 412 */
  restore(request: EntryWriteRequest): Promise<Entry>
  /** Permanently deletes an entry, whether in the trash or not. @throws AppError 404, 409, 412 */
  purge(request: EntryWriteRequest): Promise<Entry>
  /**
   * Permanently deletes up to a thousand entries that were moved to the trash of a type until a given time (ISO 8601), in
   * transactions of a hundred. Entries protected by relations of other entries are kept.
   * @throws AppError 400 if the type has no trash
   */
  emptyTrash(request: WriteRequest, until: string): Promise<EmptiedTrash>
}

/** Every write operation by name. The API document lists their routes in this order. */
export const operations = {
  create,
  checkCreate,
  putSingle,
  deleteSingle,
  updateMany,
  deleteMany,
  publishMany,
  unpublishMany,
  saveMany,
  update,
  checkUpdate,
  delete: deleteOne,
  emptyTrash,
  restore,
  publish,
  unpublish,
  discard,
  link,
  unlink,
  purge,
} satisfies OperationsOf<ContentWrites & BulkWrites & Trash>

/** The operations as a list, for code that treats them all alike. */
export const namedOperations = Object.entries(operations) as unknown as readonly [string, Operation][]

/** The operation behind each method of a service. */
type OperationsOf<Services> = {
  readonly [Name in keyof Services]: Services[Name] extends (
    request: infer Request extends WriteRequest,
    ...rest: infer Rest
  ) => Promise<infer Result>
    ? Operation<Request, Rest, Result>
    : never
}
