import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Reply } from '../answers/reply.ts'
import type { Method } from './route.ts'

/**
 * A request for a path without a route. It does not identify the caller: a fallback answers everyone alike. `header`
 * must be called as a method.
 */
export interface FallbackRequest {
  readonly requestId: string
  /** `GET` also for a HEAD request, whose answer is sent without its body. */
  readonly method: Method
  /**
   * As sent, percent-encoded, without the query. It has no empty or dot segments, encoded slashes or backslashes, but
   * may end in a slash.
   */
  readonly path: string
  /** The same, decoded. */
  readonly decodedPath: string
  /** As sent, without `?`. */
  readonly rawQuery: string
  /** The client's address. */
  readonly ip: string
  header(name: string): string | undefined
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/**
 * Answers paths that have no route, outside the API prefix and `/admin`. Anything a route answers, including its 404s
 * and 405s, never reaches a fallback. Fallbacks are called in their order of placement; the first one that answers
 * wins.
 */
export interface Fallback {
  /** `<plugin>:<what>`: labels its answers in metrics and the log. */
  readonly name: string
  /** Default: `GET`, which includes HEAD. */
  readonly methods?: readonly Method[]
  /**
   * Whether it may redirect to other origins. By default only to paths of this origin, so that a Location made from
   * the requested path cannot lead elsewhere.
   */
  readonly redirectsElsewhere?: boolean
  /**
   * Returns undefined to pass, `redirect(location)` or another Reply. If it takes longer than
   * `server.fallbackTimeoutMs`, the client gets a 503. An AppError thrown becomes the answer; anything else thrown is
   * a 500.
   */
  answer(request: FallbackRequest): Awaitable<Reply | undefined>
  /** For third-party plugins: receives the error when the fallback fails. Set by the service. */
  readonly report?: (error: unknown) => void
}

/** Types the parts of a fallback. */
export function defineFallback(fallback: Fallback): Fallback {
  return fallback
}

/** Called in order for paths that no route has. Contribute in `init`. */
export const fallbacks: ExtensionPoint<Fallback> = extensionPoint('fallbacks')
