import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type ServiceToken,
  type Stage,
  service,
} from '../../kernel/index.ts'
import type { Queries, Recipient, Transaction } from '../database/database.ts'
import type { ErrorDetail, Pagination, Principal } from '../http/http.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type { AnswerBudget } from './answer-budget.ts'
import type { Awaitable } from './awaitable.ts'
import type { EntryField, EntrySelection, SelectionRequest } from './read/selection.ts'

export { type AnswerBudget, type AnswerPlace, AnswerTooLarge, jsonBytes } from './answer-budget.ts'
export {
  defineReadMiddleware,
  defineWriteMiddleware,
  type ReadMiddleware,
  type WriteMiddleware,
} from './content-middleware.ts'
export {
  type AddedParameters,
  createAddedParameters,
  type EntryColumn,
  type EntryColumns,
  type EntryLock,
  type EntryParameters,
  type EntrySearch,
  entryColumns,
  entryLocks,
  entryParameters,
  entrySearches,
  type ParameterRequest,
  type ReadPlace,
  type ReferenceJudge,
  type RestrictedEntry,
  type Restriction,
  referenceJudges,
  type SearchedText,
} from './entry-extensions.ts'
export { parseMoment } from './payload/calendar.ts'
export type { PayloadReference } from './payload/payload.ts'
export { parseBoolean } from './query/filter-value.ts'
export { defaultLimit as defaultPageLimit, maxLimit as maxPageLimit } from './settings.ts'
export { writtenReply } from './version.ts'

/** An entry as the API shows it: `id`, the attributes, the system fields that its type has. */
export type Entry = Record<string, unknown> & { id: number }

export type ReadOperation = 'find' | 'list'

/** `discard` drops the draft beside an entry. */
export type WriteOperation = 'create' | 'update' | 'delete' | 'restore' | 'publish' | 'unpublish' | 'discard'

export { type Awaitable, andThen } from './awaitable.ts'
export type { EntryField, EntrySelection, SelectionRequest, SelectionSql } from './read/selection.ts'

/** What content middleware is matched against: every type with every operation, once at the start. */
export interface ContentTarget {
  readonly type: ContentType
  readonly operation: ReadOperation | WriteOperation
}

/**
 * A query that another plugin makes, with the parameters of the REST API. What is worked out for one is kept with the
 * object: whoever asks the same again passes the same object, and nobody changes it.
 */
export interface EntryQuery {
  /** As in a query string: `{ title: { $contains: 'x' } }`. Lists only, as all up to `fields`. */
  readonly filters?: unknown
  /** `featured:desc,title` */
  readonly sort?: string
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
  /** False leaves the total out. */
  readonly total?: boolean
  readonly published?: boolean
  /** True: with their drafts in them, where the type keeps drafts beside entries (see PendingDrafts). */
  readonly draft?: boolean
  readonly search?: string
  /** Those of other plugins (see `EntryParameters`), such as `locale`. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Undefined: all. */
  readonly fields?: readonly string[]
  readonly populate?: readonly Expansion[]
  /**
   * False: ids of relations inside components may be those of hidden entries, which the caller promises not to show;
   * what is expanded never is. Saves a query.
   */
  readonly showsIds?: boolean
}

/** A field to expand: a relation or media field, or a component or zone with such fields in it. */
export interface Expansion {
  readonly field: string
  /** The name under which to put what is found; that of the field unless told otherwise. Of references only. */
  readonly as?: string
  /** Which of the entries that a reference leads to, in which order, and what of them; as in an EntryQuery. */
  readonly fields?: readonly string[]
  readonly filters?: unknown
  readonly sort?: string
  /** For each entry that has the field; at most `api.pagination.maxLimit`. */
  readonly limit?: number
  readonly offset?: number
  /** What to expand in entries found. However deep that is; the caller bounds it. */
  readonly populate?: readonly Expansion[]
  /** What to expand in components, by their uid. */
  readonly inComponents?: Readonly<Record<string, readonly Expansion[]>>
}

/** One read on its way through the middleware. */
export interface ReadContext {
  readonly type: ContentType
  readonly operation: ReadOperation
  readonly principal: Principal
  /** What is asked for: the query string as sent, or the query of another plugin. */
  readonly query: string | EntryQuery
  /** The entry's id for `find`, 0 for `list`. */
  readonly id: number
}

/** One write on its way through the middleware; all of it is in one transaction. */
export interface WriteContext {
  readonly type: ContentType
  readonly operation: WriteOperation
  readonly principal: Principal
  /** The client's address; undefined for what the service does by itself. */
  readonly ip: string | undefined
  /** Throwing rolls everything back; jobs and rows written here are committed with the entry or not at all. */
  readonly tx: Transaction
  /** The moment of the write, ISO 8601; the same in every column that records it. */
  readonly now: string
  /**
   * What is written: the entry as it was, with all drafts visible, or with its draft in it where the write is one of
   * the draft. Undefined for `create`.
   */
  readonly before: Entry | undefined
  /** The entry as it was without its draft; undefined for `create`. Other than `before` in a write of the draft only. */
  readonly row: Entry | undefined
  /** The draft beside the entry, and once `next` has answered, what the write has made of it. */
  draft: PendingDraft | undefined
  /** The draft is what is written; the entry stays as it is. */
  readonly isDraftWrite: boolean
  /** The payload, not yet checked; middleware may replace or change it before `next`. */
  data: Readonly<Record<string, unknown>>
  /** What the write amounted to, once `next` has answered: undefined where nothing changed. */
  event: ContentEvent | undefined
  /** The service itself sets stored values right (see `Content.repair`): nothing of it is judged. */
  readonly isRepair: boolean
  /** Of a delete: the entry goes for good, since its type has no trash, or since the caller wants it so. */
  readonly isForGood: boolean
  /** Whether the entry is in the trash before the write: one that is restored, or goes for good out of there. */
  readonly isInTrash: boolean
  /** The id that is linked (see `Content.link`): those beside it in the same field were judged when they came there. */
  readonly linked: number | undefined
  /** Values of columns that plugins have added, by column: what a stage sets before `next` is written with the entry. */
  columns: Readonly<Record<string, unknown>>
  /**
   * Of a new entry: stored values by field, unjudged, that stand in for what the payload does not name. Of one that is
   * restored: what it has from then on. For a stage to set before `next`.
   */
  inherited: Readonly<Record<string, unknown>>
  /** Of a single type: false where a stage itself sees to how many entries it has. */
  isSingleClaimed: boolean
  /** What stages have found wrong with the payload before `next`, to be told together with all else. */
  readonly problems: ErrorDetail[]
}

/**
 * What happened to an entry. `draft`: the draft beside it was saved or dropped, the entry itself is as it was. `purge`: it
 * went out of the trash for good, and for all but administrators it had been deleted before.
 */
export type ContentEvent = 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'draft' | 'purge'

/** Changes of an entry that wait to be published, apart from its row. */
export interface PendingDraft {
  /** By field, as entries hold them; whatever is not among them is as the row has it. */
  readonly values: Readonly<Record<string, unknown>>
  /** ISO 8601: the `updated_at` of the entry with the draft in it, unless that of the row is later. */
  readonly updatedAt: string
}

/**
 * Keeps drafts beside the entries of some types. An update of a published entry of such a type, or of one that has a
 * draft already, becomes part of the draft, publishing puts the draft into the entry, and reads with `draft=true` show
 * entries with their drafts in them. The row of the entry is locked whenever its draft is written.
 */
export interface PendingDrafts {
  matches(type: ContentType): boolean
  /** Those that there are, by the ids of their entries; their values belong to the caller. */
  load(type: ContentType, ids: readonly number[], on?: Queries): Awaitable<ReadonlyMap<number, PendingDraft>>
  /** Makes or replaces the draft of an entry. */
  save(type: ContentType, id: number, draft: PendingDraft, tx: Transaction): Promise<void>
  remove(type: ContentType, ids: readonly number[], tx: Transaction): Promise<void>
}

/** At most one for each type. */
export const pendingDrafts: ExtensionPoint<PendingDrafts> = extensionPoint('pendingDrafts')

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
/** The draft beside an entry was saved or dropped; `entry` is what readers of drafts see now. */
export const entryDraftChanged: HookToken<EntryEvent> = hook('content:afterDraft')

/** An entry went out of the trash for good; that it was deleted has been told before. */
export const entryPurged: HookToken<EntryEvent> = hook('content:afterPurge')

/** One write of an entry. */
export interface WriteRequest {
  /** Singular name of the type. */
  readonly type: string
  readonly principal: Principal
  /** The client's address, for the audit log. */
  readonly ip?: string | undefined
  /** Takes part in a transaction that is open already; a transaction of its own otherwise. */
  readonly tx?: Transaction
}

export interface EntryWriteRequest extends WriteRequest {
  readonly id: number
  /** The `If-Match` header: the write is refused where it names an older version. */
  readonly ifMatch?: string | undefined
}

export interface SingleWriteRequest extends WriteRequest {
  readonly ifMatch?: string | undefined
  /** The query, for parameters of other plugins; all else in it is ignored. */
  readonly query?: string | Pick<EntryQuery, 'parameters'>
}

/**
 * Reads entries with the rules of the REST API: middleware, visibility, the limits of an answer. What is costly to the
 * database ends when the recipient, such as the request, is gone.
 * @throws AppError as the REST API answers it
 */
export interface ContentReads {
  list(
    type: string,
    query: string | EntryQuery,
    principal: Principal,
    recipient?: Recipient,
  ): Awaitable<EntryPage>
  /**
   * Those of the ids that name an entry which the principal may see, in any order; with the middleware of a list.
   * `fields`: what of them, if not all.
   */
  findMany(
    type: string,
    ids: readonly number[],
    request: {
      readonly principal: Principal
      readonly fields?: readonly string[]
      readonly recipient?: Recipient | undefined
    },
  ): Promise<readonly Entry[]>
  /** Undefined where there is no such entry, or none that the principal may see. */
  find(
    type: string,
    id: number,
    query: string | EntryQuery,
    principal: Principal,
    recipient?: Recipient,
  ): Awaitable<FoundEntry | undefined>
  /** The entry of a single type. */
  findSingle(
    type: string,
    query: string | EntryQuery,
    principal: Principal,
    recipient?: Recipient,
  ): Awaitable<FoundEntry | undefined>
  /**
   * For entries that the principal was given by a write: expands in them, in place, what the query asks for. Judges at
   * once, so that a write whose answer must not be shown can be left undone.
   * @throws AppError 400, 403
   */
  expander(type: string, query: EntryQuery, principal: Principal): (entry: Entry) => Promise<void>
}

/**
 * Reads and writes entries with the rules of the REST API: middleware, validation, visibility, events.
 * Whether the caller has the permission for the operation is judged before, by the route's policy.
 * @throws AppError as the REST API answers it
 */
export interface Content extends ContentReads {
  /** The same reads for an answer that is made of several: together they stay within the budget. */
  within(budget: AnswerBudget): ContentReads
  /** What one answer may hold, as the settings have it now. */
  answerBudget(): AnswerBudget
  /** Names of the fields that entries of a type show, inverse sides of relations included; of system types, too. */
  fieldNames(type: string): readonly string[]
  /**
   * Adds to the components among stored values, in place, the attributes that they lack because they are older than
   * those: as reads do.
   */
  completeComponents(type: string, values: Record<string, unknown>): void
  /** The id of a single type's entry, be it a draft. */
  singleId(type: string, query?: Pick<EntryQuery, 'parameters'>): Awaitable<number | undefined>
  /** What was worked out for queries counts no more, since the parameters of a plugin mean something else now. */
  forgetQueries(): void
  /**
   * A field that callers may name, by its name or an alias of it (`createdAt`); undefined for none.
   * @throws AppError 404 for an unknown type
   */
  field(type: string, name: string): EntryField | undefined
  /**
   * The entries that a list would hold, for statements of another plugin: what its caller may not see is not
   * among them. Read middleware, which works on entries, has no say.
   * @throws AppError 400 with all problems of the query, 403, 404
   */
  select(request: SelectionRequest): EntrySelection
  create(request: WriteRequest, data: unknown): Promise<Entry>
  update(request: EntryWriteRequest, data: unknown): Promise<Entry>
  /** Creates or updates the entry of a single type; `isNew` tells which. */
  putSingle(request: SingleWriteRequest, data: unknown): Promise<{ entry: Entry; isNew: boolean }>
  delete(request: EntryWriteRequest): Promise<Entry>
  deleteSingle(request: SingleWriteRequest): Promise<Entry>
  /** Brings a soft-deleted entry back. */
  restore(request: EntryWriteRequest): Promise<Entry>
  /** Deletes an entry for good, be it present or in the trash. @throws AppError 404, 409, 412 */
  purge(request: EntryWriteRequest): Promise<Entry>
  /**
   * Deletes for good what came into the trash of a type until a moment (ISO 8601): up to a thousand entries, in
   * transactions of a hundred. What must not be lost by entries that refer to it stays.
   * @throws AppError 400 where the type has no trash
   */
  emptyTrash(
    request: WriteRequest,
    until: string,
  ): Promise<{ readonly ids: readonly number[]; readonly hasMore: boolean }>
  /** `publishedAt` in the future schedules; nothing or the past publishes. */
  publish(request: EntryWriteRequest, publishedAt?: string): Promise<Entry>
  unpublish(request: EntryWriteRequest): Promise<Entry>
  /** Drops the draft beside an entry; answers the entry. @throws AppError 403, 404 where there is none */
  discard(request: EntryWriteRequest): Promise<Entry>
  /** Whether drafts are kept beside the entries of a type, so that they can be read with `draft`, and show `has_draft`. */
  keepsDrafts(type: string): boolean
  /** The drafts beside entries, by id; for plugins that have to know of everything that is stored. */
  drafts(type: string, ids: readonly number[], on: Queries): Awaitable<ReadonlyMap<number, PendingDraft>>
  /**
   * Publishes now, all in one transaction or none, with few statements: the middleware of up to fifty entries runs at
   * the same time, so no stage may wait for another entry's. The details of an error name entries as `article:7`.
   */
  publishMany(request: WriteRequest, ids: readonly number[]): Promise<void>
  unpublishMany(request: WriteRequest, ids: readonly number[]): Promise<void>
  /** All of them in one transaction, or none, with few statements, as `publishMany` does; answers their ids. */
  updateMany(request: WriteRequest, ids: readonly number[], data: unknown): Promise<readonly number[]>
  /** All of them in one transaction, or none; answers their ids. */
  deleteMany(request: WriteRequest, ids: readonly number[]): Promise<readonly number[]>
  /** Sets a to-one relation, or adds to the end of a to-many one; from either side. */
  link(request: EntryWriteRequest, field: string, targetId: number): Promise<Entry>
  unlink(request: EntryWriteRequest, field: string, targetId: number): Promise<Entry>
  /**
   * Changes an entry to what `change` answers by field, as it is stored and without judging it: takes out what is
   * no longer there, say, even where the schema requires it. With the middleware and event of an update. Does
   * nothing where there is no such entry, or no field is answered. Where there is a draft beside the entry, `change`
   * is asked about the entry with the draft in it as well, and what it answers for fields of the draft is changed there.
   */
  repair(
    request: WriteRequest & { readonly id: number },
    change: (entry: Entry) => Readonly<Record<string, unknown>>,
  ): Promise<void>
  /**
   * Those of the entries that are there, as they are stored: with all fields, drafts and ids of hidden entries. Locked
   * until the end of the transaction.
   */
  lock(
    request: WriteRequest & { readonly tx: Transaction },
    ids: readonly number[],
  ): Promise<readonly Entry[]>
  /**
   * `repair` for many with few statements; their middleware runs at the same time, as that of `publishMany`. Drafts
   * beside them stay as they are.
   */
  repairMany(
    request: WriteRequest,
    ids: readonly number[],
    change: (entry: Entry) => Readonly<Record<string, unknown>>,
  ): Promise<void>
  /**
   * Entries of a system type, for the plugin whose type it is.
   * @param ownFields what only that plugin writes; payloads may hold them, but they are ignored
   * @throws Error if there is no such system type
   */
  systemEntries(type: string, ownFields: readonly string[]): SystemEntries
}

/** In which transaction, and when (ISO 8601). */
export interface SystemWrite {
  readonly tx: Transaction
  readonly now: string
}

/** Entries of a system type: no middleware, no events, no permissions; those are up to the type's plugin. */
export interface SystemEntries {
  list(rawQuery: string, principal: Principal): Awaitable<EntryPage>
  find(id: number, rawQuery: string, principal: Principal): Awaitable<FoundEntry | undefined>
  /** Locks the entry until the end of the transaction. @throws AppError 404, 412 */
  open(
    id: number,
    options: { readonly tx: Transaction; readonly ifMatch?: string | undefined },
  ): Promise<Entry>
  /** Locks those that are there, in the order of their ids. */
  openMany(ids: readonly number[], tx: Transaction): Promise<Entry[]>
  /** Stores values by field, unjudged; attributes that are not named get their defaults. @throws AppError 409 */
  insert(values: Readonly<Record<string, unknown>>, write: SystemWrite): Promise<Entry>
  /** Changes fields, unjudged, and the version. @throws AppError 409 */
  update(before: Entry, values: Readonly<Record<string, unknown>>, write: SystemWrite): Promise<Entry>
  /** Judges a payload for a new entry or a change; answers values for `insert` or `update`. @throws AppError 400 */
  check(
    payload: unknown,
    write: SystemWrite & { readonly before?: Entry; readonly principal: Principal },
  ): Promise<Record<string, unknown>>
  /** @throws AppError 409 if something that must not lose it refers to it */
  remove(id: number, tx: Transaction): Promise<void>
}

export const contentService: ServiceToken<Content> = service('content')
