import { type Awaitable, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Recipient } from '../../database/database.ts'
import type { Principal } from '../../http/http.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import type { Entry, EntryPage, FoundEntry } from '../entry.ts'
import type { EntryQuery } from '../entry-query.ts'
import type { EntryWriteRequest, SingleWriteRequest, WriteRequest } from '../write-request.ts'

/**
 * Reads entries by the rules of the REST API: middleware, visibility, answer limits. Costly reads are
 * cancelled when their recipient (the request, for example) is gone.
 * @throws AppError as the REST API reports it
 */
export interface ContentReads {
  list(
    type: string,
    query: string | EntryQuery,
    principal: Principal,
    recipient?: Recipient,
  ): Awaitable<EntryPage>
  /**
   * The entries with these ids that exist and are visible to the principal, in any order; runs the middleware
   * of a list. `fields`: default all.
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
  /** Undefined if there is no such entry, or the principal may not see it. */
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
   * For entries that a write returned to the principal: populates them in place as the query asks. Checks the
   * query immediately, so that the write can be avoided if its answer may not be shown.
   * @throws AppError 400, 403
   */
  populateInto(type: string, query: EntryQuery, principal: Principal): (entry: Entry) => Promise<void>
}

/** Writes of one entry, each in a transaction with its middleware and events. */
export interface ContentWrites {
  create(request: WriteRequest, data: unknown): Promise<Entry>
  update(request: EntryWriteRequest, data: unknown): Promise<Entry>
  delete(request: EntryWriteRequest): Promise<Entry>
  /** Publishes now, or at `publishedAt` if that is in the future. */
  publish(request: EntryWriteRequest, publishedAt?: string): Promise<Entry>
  unpublish(request: EntryWriteRequest): Promise<Entry>
  /** Discards the pending draft of an entry; returns the entry. @throws AppError 403, 404 if there is none */
  discard(request: EntryWriteRequest): Promise<Entry>
  /** Sets a to-one relation, or appends to a to-many one; works from either side. */
  link(request: EntryWriteRequest, field: string, targetId: number): Promise<Entry>
  unlink(request: EntryWriteRequest, field: string, targetId: number): Promise<Entry>
  /** Creates or updates the entry of a single type; `isNew` says which. */
  putSingle(request: SingleWriteRequest, data: unknown): Promise<{ entry: Entry; isNew: boolean }>
  deleteSingle(request: SingleWriteRequest): Promise<Entry>
}

/**
 * Reads and writes entries by the rules of the REST API: middleware, validation, visibility, events. Does not
 * check the caller's permission for the operation; the route's policy does.
 * @throws AppError as the REST API reports it
 */
export interface Content extends ContentReads, ContentWrites {
  /**
   * Reads for an answer that is assembled from several reads, which share one budget. Default: a new budget.
   */
  within(budget?: AnswerBudget): ContentReads
  /** The id of a single type's entry, which may be a draft. */
  singleId(type: string, query?: Pick<EntryQuery, 'parameters'>): Awaitable<number | undefined>
}

export const contentService: ServiceToken<Content> = service('content')
