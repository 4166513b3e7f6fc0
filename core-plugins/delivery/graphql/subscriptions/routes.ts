import {
  AppError,
  clientOf,
  defineRoute,
  eventStream,
  type Reply,
  type Route,
  type RouteRequest,
  webSocket,
} from '../../../foundation/http/http.ts'
import type { Asked } from '../endpoint/asked.ts'
import { Connection } from './connection.ts'
import { subprotocol } from './protocol.ts'
import { StreamOperation } from './stream-operation.ts'
import { type SubscriptionParts, subscriptionTo } from './subscriptions.ts'

/** Public: clients may authenticate after opening the connection, which is closed if they have no permissions. */
export function subscriptionsRoute(parts: SubscriptionParts): Route {
  return defineRoute({
    name: 'graphql:subscriptions.connect',
    method: 'GET',
    path: '/graphql',
    tag: 'GraphQL',
    summary: 'Subscribe to what happens to entries, by graphql-transport-ws',
    access: 'open',
    handler(request) {
      const offered = (request.header('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
      if (!offered.includes(subprotocol)) {
        throw new AppError('VALIDATION_ERROR', `offer the subprotocol ${subprotocol}`)
      }
      parts.live.assertRoom(clientOf(request.ip))
      return webSocket(subprotocol, new Connection(request, parts))
    },
  })
}

/** Responds to a subscription request with its events. @throws RefusedRequest, AppError 403, 429, 503 */
export async function streamSubscription(
  request: RouteRequest<unknown, unknown, unknown>,
  asked: Asked,
  parts: SubscriptionParts,
): Promise<Reply> {
  const { principal } = request
  const address = clientOf(request.ip)
  const credential = principal.kind === 'anonymous' ? undefined : request.header('authorization')
  if (principal.kind !== 'anonymous' && credential === undefined) {
    throw AppError.forbidden('subscriptions take the header authorization, not the cookie of the panel')
  }
  parts.live.assertRoom(address)
  const { topic, cursor } = await subscriptionTo(asked, principal, parts)
  return eventStream(new StreamOperation({ address, credential, topic }, parts.live, { principal, cursor }))
}
