import { type Awaitable, type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Recipient } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import type { Entry, EntryPage, FoundEntry } from '../entry/entry.ts'
import type { EntryQuery, ShownOfEntries } from '../entry-query.ts'
import type { ContentWrites } from '../operations/operations.ts'

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
   * The entries with these ids that exist and that the principal may see, in any order; runs the middleware of a list. `fields`:
   * default all. `shown` replaces it and can also populate; pass the same object to repeat a read, as with an EntryQuery.
   */
  findMany(
    type: string,
    ids: readonly number[],
    request: {
      readonly principal: Principal
      readonly fields?: readonly string[]
      readonly shown?: ShownOfEntries
      readonly recipient?: Recipient | undefined
    },
  ): Promise<readonly Entry[]>
  /** Undefined if the entry does not exist or the principal may not see it. */
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
   * Populates entries in place, such as what a write returned: entries that the principal may see, with ids in their relations.
   * Checks the query when called, so that an invalid query can be refused before the write.
   * @throws AppError 400, 403
   */
  populateInto(
    type: string,
    query: string | EntryQuery,
    principal: Principal,
    recipient?: Recipient,
  ): (...entries: Entry[]) => Promise<void>
}

/** Reads and writes, with a way to share one answer's budget among several reads. */
interface ContentOperations extends ContentReads, ContentWrites {
  /**
   * Reads for an answer that is assembled from several reads, which share one budget. Default: a new budget.
   */
  within(budget?: AnswerBudget): ContentReads
}

/**
 * `Content` without the check of the caller's permission for the operation, for callers that have already checked it, such as
 * routes with a policy. What the principal may see (drafts, entries that a read refers to) still applies.
 */
export interface UnguardedContent extends ContentOperations {
  /** The id of a single type's entry, which may be a draft. */
  singleId(type: string, query?: Pick<EntryQuery, 'parameters'>): Awaitable<number | undefined>
}

/**
 * Reads and writes entries by the rules of the REST API: permissions, middleware, validation, visibility, events. All reads take
 * the permission `read`; `publish` and `unpublish` take `publish`; links, `putSingle` and `discard` take `update`.
 * @throws AppError as the REST API reports it: 401 or 403 without the permission, whether or not the type or entry exists
 */
export interface Content extends ContentOperations {
  readonly unguarded: UnguardedContent
}

/** Reads and writes entries with the rights of a principal. */
export const contentService: ServiceToken<Content> = service('content')
