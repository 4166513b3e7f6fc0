import { type ExtensionPoint, middlewarePoint, type Next, type Stage } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import {
  type ContentTarget,
  type MiddlewareOptions,
  type ReadOperation,
  stageOptions,
} from './content-target.ts'
import type { EntryPage, FoundEntry } from './entry/entry.ts'
import type { EntryQuery } from './entry-query.ts'

/** One read on its way through the middleware. */
export interface ReadContext {
  readonly type: ContentType
  readonly operation: ReadOperation
  readonly principal: Principal
  /** The query string as sent, or the query of another plugin. */
  readonly query: string | EntryQuery
  /** The entry's id for `find`, 0 for `list`. */
  readonly id: number
}

/** Result of a read: the entry (undefined: not found), or a page of entries. */
export type ReadResult = FoundEntry | EntryPage | undefined

/** A stage may change the result, return one itself, or throw an AppError to refuse. */
export interface ReadStage extends Stage<ContentTarget, ReadContext, ReadResult> {
  /** See `ReadMiddleware`. */
  readonly isPredictable?: boolean
}

/** Middleware of reads; specification, "Extension routes". */
export const contentReadMiddleware: ExtensionPoint<ReadStage> = middlewarePoint('contentReadMiddleware')

/** Read middleware as plugins write it. */
export interface ReadMiddleware extends MiddlewareOptions<ReadOperation> {
  /**
   * True: for the same entries and query, the result depends only on the caller's role or scopes, not on time or anything else.
   * The cache keeps only answers whose middleware is all predictable.
   */
  readonly isPredictable?: boolean
  run(context: ReadContext, next: Next<ReadResult>): ReadResult | Promise<ReadResult>
}

/** Creates a stage for `contentReadMiddleware`. */
export function defineReadMiddleware(middleware: ReadMiddleware): ReadStage {
  const { isPredictable = false, run } = middleware
  return { ...stageOptions(middleware), isPredictable, run }
}
