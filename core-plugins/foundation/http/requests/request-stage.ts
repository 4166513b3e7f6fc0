import type { Awaitable, Log } from '../../../../kernel/index.ts'
import type { AnswerKeeper } from '../answers/answer-keeper.ts'
import type { AnswerLabeller } from '../answers/answer-labels.ts'
import type { CompiledFallbacks } from '../routes/compile-fallbacks.ts'
import type { Router } from '../routes/router.ts'
import type { AccessLog } from './access-log.ts'
import type { Admission } from './admission.ts'
import type { Authenticator } from './authenticator.ts'
import type { CorsPolicy } from './cors.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { AddressReader, IncomingRequest } from './request.ts'
import type { RequestObserver } from './request-observer.ts'

/** What all requests share. To change it at run time, replace a property. */
export interface RequestEnvironment {
  readonly log: Log
  readonly router: Router
  /** The routes for WebSockets. */
  readonly sockets: Router
  /** Undefined if no plugin keeps answers. */
  readonly keeper: AnswerKeeper | undefined
  /** Undefined if no plugin adds headers for caches. */
  readonly labeller: AnswerLabeller | undefined
  /** Asked about paths without a route. */
  readonly fallbacks: CompiledFallbacks
  readonly authenticators: readonly Authenticator[]
  /** Undefined while the rate limit is switched off. */
  readonly rateLimiter: RateLimiter | undefined
  /** Undefined if every request is accepted. */
  readonly admission: Admission | undefined
  readonly cors: CorsPolicy
  readonly readAddress: AddressReader
  /** Undefined if no requests are logged. */
  readonly accessLog: AccessLog | undefined
  readonly observers: readonly RequestObserver[]
  /** The service is stopping and refuses new requests. */
  readonly isStopping: boolean
}

/**
 * Does its part of a request, synchronously where possible: a promise per stage would cost more than most stages do.
 * Once a stage has sent the answer, the stages after it are skipped.
 * @throws the error that refuses the request
 */
export type StageRun = (request: IncomingRequest, environment: RequestEnvironment) => Awaitable<void>

/** One step on the way of a request. */
export interface RequestStage {
  readonly name: string
  /** What it does, for lists of the stages. */
  readonly summary: string
  readonly run: StageRun
}
