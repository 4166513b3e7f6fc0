import type { Auth } from '../../../accounts/auth/auth.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { Live, Topic } from '../../live/live.ts'
import { type Asked, argumentsIn, queryIn } from '../endpoint/asked.ts'
import { type AnsweredError, RefusedRequest, refuseByAppError } from '../errors.ts'
import type { LazyExecutor } from '../execution/lazy-executor.ts'
import type { AskEndpoint } from './ask-endpoint.ts'
import { SubscriptionTopic } from './subscription-topic.ts'

export interface SubscriptionParts {
  readonly auth: Auth
  readonly executor: LazyExecutor
  readonly live: Live
  /** Executes what is no subscription. */
  readonly ask: AskEndpoint
  /** The position as clients keep it. */
  readonly cursorOf: (position: number) => string
  /** All content types. */
  readonly typeNames: readonly string[]
  /** The most subscriptions of a connection. */
  readonly maxOfConnection: () => number
  /** How long a connection may be open before its client introduces itself, in milliseconds. */
  readonly initTimeoutMs: () => number
  /** The longest message of a client that has shown no credential, in bytes. */
  readonly maxAnonymousBytes: number
  /** Gets what is not the client's fault. */
  readonly logFailure: (error: unknown) => void
}

export interface Subscription {
  readonly topic: Topic
  /** From where on; undefined: from now on. */
  readonly cursor: string | undefined
}

/** A persisted query that is not known here, as clients expect it. */
export const persistedQueryNotFound: AnsweredError = {
  message: 'PersistedQueryNotFound',
  extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
}

/** Whether a client asks for an answer instead of events. */
export async function asksForAnswer(asked: Asked, { executor }: SubscriptionParts): Promise<boolean> {
  const { isRequest, persisted } = await executor.load()
  try {
    const meant = await persisted.resolve(queryIn(asked), asked.extensions)
    return meant !== undefined && isRequest(meant.source, argumentsIn(asked).operationName)
  } catch (error) {
    // Whoever subscribes is told.
    if (error instanceof AppError) return false
    throw error
  }
}

/** What somebody subscribes to. @throws RefusedRequest */
export async function subscriptionTo(
  asked: Asked,
  principal: Principal,
  parts: SubscriptionParts,
): Promise<Subscription> {
  try {
    const executor = await parts.executor.load()
    const meant = await executor.persisted.resolve(queryIn(asked), asked.extensions)
    if (meant === undefined) throw new RefusedRequest(200, [persistedQueryNotFound])
    const request = { ...argumentsIn(asked), source: meant.source }
    const prepared = await executor.prepare(request, principal)
    meant.keep()
    return { topic: new SubscriptionTopic(prepared, parts), cursor: prepared.followed.since }
  } catch (error) {
    throw error instanceof AppError ? refuseByAppError(error) : error
  }
}
