import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type ServiceToken,
  type Stage,
  service,
} from '../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'
import type { Pagination, Principal } from '../http/http.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type { Awaitable } from './awaitable.ts'

/** An entry as the API shows it: `id`, the attributes, the system fields that its type has. */
export type Entry = Record<string, unknown> & { id: number }

export type ReadOperation = 'find' | 'list'

export type WriteOperation = 'create' | 'update' | 'delete' | 'restore' | 'publish' | 'unpublish'

export type { Awaitable } from './awaitable.ts'

/** What content middleware is matched against: every type with every operation, once at the start. */
export interface ContentTarget {
  readonly type: ContentType
  readonly operation: ReadOperation | WriteOperation
}

/** One read on its way through the middleware. */
export interface ReadContext {
  readonly type: ContentType
  readonly operation: ReadOperation
  readonly principal: Principal
  /** The query string as sent; the entry's id for `find`, 0 where a single type is read without one. */
  readonly rawQuery: string
  readonly id: number
}

/** One write on its way through the middleware; all of it is in one transaction. */
export interface WriteContext {
  readonly type: ContentType
  readonly operation: WriteOperation
  readonly principal: Principal
  /** Throwing rolls everything back; jobs and rows written here are committed with the entry or not at all. */
  readonly tx: Transaction
  /** The moment of the write, ISO 8601; the same in every column that records it. */
  readonly now: string
  /** The entry as it was, with all drafts visible; undefined for `create`. */
  readonly before: Entry | undefined
  /** The payload, not yet checked; middleware may replace or change it before `next`. */
  data: Readonly<Record<string, unknown>>
  /** What the write amounted to, once `next` has answered: undefined where nothing changed. */
  event: ContentEvent | undefined
}

/** What happened to an entry; also the names of the webhook events, with `entry.` in front. */
export type ContentEvent = 'create' | 'update' | 'delete' | 'publish' | 'unpublish'

/** Answer of a read: the entry (undefined: not found), or a page of them. */
export type ReadResult = FoundEntry | EntryPage | undefined

export interface FoundEntry {
  readonly entry: Entry
  /** Changes with every write of the entry; the part of its ETag that `If-Match` is compared with. */
  readonly version: string
}

export interface EntryPage {
  readonly entries: readonly Entry[]
  readonly pagination: Pagination
}

/**
 * Content middleware (specification, "Extension routes"), one extension point for reads and one for writes.
 * A stage may change what comes back, answer by itself, or throw an AppError to veto.
 */
export type ReadStage = Stage<ContentTarget, ReadContext, ReadResult>
export type WriteStage = Stage<ContentTarget, WriteContext, Entry>

export const contentReadMiddleware: ExtensionPoint<ReadStage> = extensionPoint('contentReadMiddleware')
export const contentWriteMiddleware: ExtensionPoint<WriteStage> = extensionPoint('contentWriteMiddleware')

/** What the content hooks deliver, after the commit. */
export interface EntryEvent {
  /** Singular name of the type. */
  readonly contentType: string
  readonly entry: Entry
  readonly principal: Principal
}

export const entryCreated: HookToken<EntryEvent> = hook('content:afterCreate')
export const entryUpdated: HookToken<EntryEvent> = hook('content:afterUpdate')
export const entryDeleted: HookToken<EntryEvent> = hook('content:afterDelete')
export const entryPublished: HookToken<EntryEvent> = hook('content:afterPublish')
export const entryUnpublished: HookToken<EntryEvent> = hook('content:afterUnpublish')

/** One write of an entry. */
export interface WriteRequest {
  /** Singular name of the type. */
  readonly type: string
  readonly principal: Principal
  /** Takes part in a transaction that is open already; a transaction of its own otherwise. */
  readonly tx?: Transaction
}

export interface EntryWriteRequest extends WriteRequest {
  readonly id: number
  /** The `If-Match` header: the write is refused where it names an older version. */
  readonly ifMatch?: string | undefined
}

/**
 * Reads and writes entries with the rules of the REST API: middleware, validation, visibility, events.
 * Whether the caller has the permission for the operation is judged before, by the route's policy.
 * @throws AppError as the REST API answers it
 */
export interface Content {
  list(type: string, rawQuery: string, principal: Principal): Awaitable<EntryPage>
  /** Undefined where there is no such entry, or none that the principal may see. */
  find(type: string, id: number, rawQuery: string, principal: Principal): Awaitable<FoundEntry | undefined>
  /** The entry of a single type. */
  findSingle(type: string, rawQuery: string, principal: Principal): Awaitable<FoundEntry | undefined>
  create(request: WriteRequest, data: unknown): Promise<Entry>
  update(request: EntryWriteRequest, data: unknown): Promise<Entry>
  /** Creates or updates the entry of a single type; `isNew` tells which. */
  putSingle(
    request: WriteRequest & { readonly ifMatch?: string | undefined },
    data: unknown,
  ): Promise<{ entry: Entry; isNew: boolean }>
  delete(request: EntryWriteRequest): Promise<Entry>
  deleteSingle(request: WriteRequest & { readonly ifMatch?: string | undefined }): Promise<Entry>
  /** Brings a soft-deleted entry back. */
  restore(request: EntryWriteRequest): Promise<Entry>
  /** `publishedAt` in the future schedules; nothing or the past publishes. */
  publish(request: EntryWriteRequest, publishedAt?: string): Promise<Entry>
  unpublish(request: EntryWriteRequest): Promise<Entry>
  /** All of them in one transaction, or none. */
  updateMany(request: WriteRequest, ids: readonly number[], data: unknown): Promise<readonly Entry[]>
  deleteMany(request: WriteRequest, ids: readonly number[]): Promise<readonly Entry[]>
  /** Sets a to-one relation, or adds to the end of a to-many one; from either side. */
  link(request: EntryWriteRequest, field: string, targetId: number): Promise<Entry>
  unlink(request: EntryWriteRequest, field: string, targetId: number): Promise<Entry>
}

export const contentService: ServiceToken<Content> = service('content')
