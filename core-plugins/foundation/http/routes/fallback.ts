import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Reply } from '../answers/reply.ts'
import type { Method } from './route.ts'

/**
 * A request for a path that no route has. It says nothing of who calls: what a fallback answers is for everybody.
 * `header` must be called as a method.
 */
export interface FallbackRequest {
  readonly requestId: string
  /** `GET` for a HEAD request too, whose answer goes out without its body. */
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
 * Middleware for paths that nobody serves, outside of the API prefix and `/admin`. All that routes answer never gets
 * here, not even their 404 and 405. Fallbacks are asked in their order of placement; the first one that answers wins.
 */
export interface Fallback {
  /** `<plugin>:<what>`: the label of its answers in metrics and log. */
  readonly name: string
  /** Default: `GET`, with which HEAD comes along. */
  readonly methods?: readonly Method[]
  /**
   * Whether it may redirect to other origins. By default only to paths of this one, so that a Location made from what
   * was requested leads nowhere else.
   */
  readonly redirectsElsewhere?: boolean
  /**
   * Returns undefined to pass, `redirect(location)` or another Reply. It has `server.fallbackTimeoutMs`: afterwards the
   * client gets a 503. An AppError is the answer to the client, anything else thrown is a 500.
   */
  answer(request: FallbackRequest): Awaitable<Reply | undefined>
  /** Of third-party plugins: told what went wrong. Set by the service. */
  readonly report?: (error: unknown) => void
}

/** Types the parts of a fallback. */
export function defineFallback(fallback: Fallback): Fallback {
  return fallback
}

/** Asked in order about paths that no route has. Contribute in `init`. */
export const fallbacks: ExtensionPoint<Fallback> = extensionPoint('fallbacks')
