import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { UnavailableReason } from '../answers/unavailable-reasons.ts'
import type { Route } from '../routes/route.ts'

/** A request that has been answered. */
export interface AnsweredRequest {
  /** Undefined if no route was found. */
  readonly route: Route | undefined
  /** The name of the fallback that answered in place of a route. */
  readonly fallback: string | undefined
  /** As sent; if a route was found, the route's. */
  readonly method: string
  readonly status: number
  /** The reason of a 503. */
  readonly reason?: UnavailableReason | undefined
  /** From the arrival of the request's head until the answer is handed to the server, in milliseconds. */
  readonly durationMs: number
}

/** Called for every request; must be quick and must not throw. */
export type RequestObserver = (request: AnsweredRequest) => void

/** Called for every answered request. Contribute in `init`. */
export const requestObservers: ExtensionPoint<RequestObserver> = extensionPoint('requestObservers')
