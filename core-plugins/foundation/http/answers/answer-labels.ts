import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { RouteRequest } from '../routes/route.ts'
import type { HeaderLines } from '../servers/server-port.ts'

/** Headers of one answer that depend on the data it was made from. Kept together with the answer. */
export interface AnswerLabel {
  /**
   * Called each time the answer is sent, also from memory and as a 304; for the first time once it has been made. A
   * `cache-control` among the headers replaces the handler's.
   */
  lines(): HeaderLines
}

/** Adds headers that say what caches between client and service may do with answers. */
export interface AnswerLabeller {
  /**
   * Called for each GET of a route that allows its answers to be kept (`keptBy`), once the caller is known to have
   * access. After it resolves, answers from memory must be as fresh as the labels promise.
   */
  prepare(request: RouteRequest): Awaitable<void>
  /**
   * Called after `prepare` if the answer is not in memory, before the route runs. Undefined if there are no headers
   * to add.
   */
  label(request: RouteRequest): AnswerLabel | undefined
  /** The headers for answers of such a route other than 200. */
  readonly failed: HeaderLines
}

/** At most one. Contribute in `register` or `init`. */
export const answerLabellers: ExtensionPoint<AnswerLabeller> = extensionPoint('answerLabellers')
