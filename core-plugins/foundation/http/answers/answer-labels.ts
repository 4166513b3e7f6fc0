import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { RouteRequest } from '../routes/route.ts'
import type { HeaderLines } from '../servers/server-port.ts'

/** Headers of one answer that depend on what it was made of. It is kept with the answer. */
export interface AnswerLabel {
  /**
   * Asked for each time that the answer is sent, also from memory and as 304, the first time when it has been made. A
   * `cache-control` in it takes the place of the handler's.
   */
  lines(): HeaderLines
}

/** Tells those who keep answers on their way what they may do with them. */
export interface AnswerLabeller {
  /**
   * Called for each GET of a route that allows its answers to be kept (`keptBy`), when its caller may use it. From when
   * it has resolved, what is answered from memory has to be as new as labels promise.
   */
  prepare(request: RouteRequest): Awaitable<void>
  /** Called after it if the answer is not in memory, before the route runs. Undefined: there is nothing to tell. */
  label(request: RouteRequest): AnswerLabel | undefined
  /** For what such a route answers in place of 200. */
  readonly failed: HeaderLines
}

/** At most one. Contribute in `register` or `init`. */
export const answerLabellers: ExtensionPoint<AnswerLabeller> = extensionPoint('answerLabellers')
