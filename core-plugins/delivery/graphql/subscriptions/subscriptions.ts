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
  /** Executes queries and mutations. */
  readonly ask: AskEndpoint
  /** Encodes a position as a cursor for clients. */
  readonly cursorOf: (position: number) => string
  /** The names of all content types. */
  readonly typeNames: readonly string[]
  /** The maximum number of subscriptions per connection. */
  readonly maxOfConnection: () => number
  /** How long a connection may stay without authentication, in milliseconds. */
  readonly initTimeoutMs: () => number
  /** The maximum message length of a client without a credential, in bytes. */
  readonly maxAnonymousBytes: number
  /** Logs errors that are not the client's fault. */
  readonly logFailure: (error: unknown) => void
}

export interface Subscription {
  readonly topic: Topic
  /** The position at which to start; undefined: now. */
  readonly cursor: string | undefined
}

/** The error for an unknown persisted query, as clients expect it. */
export const persistedQueryNotFound: AnsweredError = {
  message: 'PersistedQueryNotFound',
  extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
}

/** Whether the request is a query or a mutation, so that the client expects a response instead of events. */
export async function asksForAnswer(asked: Asked, { executor }: SubscriptionParts): Promise<boolean> {
  const { isRequest, persisted } = await executor.load()
  try {
    const meant = await persisted.resolve(queryIn(asked), asked.extensions)
    return meant !== undefined && isRequest(meant.source, argumentsIn(asked).operationName)
  } catch (error) {
    // The subscription reports the error itself.
    if (error instanceof AppError) return false
    throw error
  }
}

/** Prepares the requested subscription. @throws RefusedRequest */
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
