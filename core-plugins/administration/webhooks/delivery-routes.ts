import { type TSchema, Type } from 'typebox'
import {
  accepted,
  defineRoute,
  idParams,
  type Principal,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  timestampSchema,
} from '../../foundation/http/http.ts'
import { actorOf } from './content-changes.ts'
import type { DeliveryLog, LoggedDelivery } from './delivery-log.ts'
import { bodyOf } from './message.ts'
import type { ReceivingRights } from './receiving-rights.ts'
import type { Redelivery } from './redelivery.ts'
import type { WebhookAdmin } from './webhook-admin.ts'

const read = { tag: 'Webhooks', access: 'area', scope: 'webhooks:read' } as const
const write = { tag: 'Webhooks', access: 'area', scope: 'webhooks:write' } as const

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const headersSchema = nullable(Type.Record(Type.String(), Type.String()))

const deliverySchema = Type.Object(
  {
    id: Type.Integer(),
    webhookId: Type.Integer(),
    event: Type.String(),
    origin: Type.Enum(['change', 'replay', 'test']),
    status: Type.Enum(['pending', 'delivered', 'retrying', 'dead']),
    statusCode: nullable(Type.Integer()),
    responseTime: nullable(Type.Integer({ description: 'Milliseconds' })),
    attempt: Type.Integer({ description: 'Attempts so far' }),
    requestHeaders: headersSchema,
    responseHeaders: headersSchema,
    payload: Type.Unknown({
      description: 'The body that is sent; null for callers who may not read such entries',
    }),
    error: nullable(Type.String()),
    created_at: timestampSchema,
  },
  strict,
)

const statsSchema = Type.Object(
  {
    total: Type.Integer(),
    delivered: Type.Integer(),
    dead: Type.Integer(),
    pending: Type.Integer({ description: 'Retrying ones included' }),
    successRate: nullable(Type.Number({ description: 'Of the finished ones, 0 to 1' })),
    avgResponseTime: nullable(Type.Number({ description: 'Milliseconds, of the latest 1,000 answers' })),
    p95ResponseTime: nullable(Type.Number({ description: 'The same' })),
  },
  strict,
)

export interface DeliveryRoutesDeps {
  readonly admin: WebhookAdmin
  readonly log: DeliveryLog
  readonly redelivery: Redelivery
  readonly rights: ReceivingRights
}

/** Specification, "Webhooks": what was delivered, and what is to be delivered anew. */
export function createDeliveryRoutes(deps: DeliveryRoutesDeps): Route[] {
  return [listDead(deps), listDeliveries(deps), readStats(deps), sendTest(deps), replayDelivery(deps)]
}

const listDead = ({ log, rights }: DeliveryRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:webhooks.listDead',
    method: 'GET',
    path: '/webhooks/dead-letter',
    summary: 'List dead deliveries of all webhooks',
    description: 'Newest first; without tests and without those that were replayed.',
    query: Type.Object(rangeQuery),
    response: Type.Array(deliverySchema),
    isPaginated: true,
    async handler({ query, principal }) {
      const range = rangeOf(query)
      const { rows, total } = await log.listDead(range)
      return rangePage(rows.map(presentTo(principal, rights)), total, range)
    },
  })

const listDeliveries = ({ admin, log, rights }: DeliveryRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:webhooks.logs',
    method: 'GET',
    path: '/webhooks/:id/logs',
    summary: 'List deliveries of a webhook',
    description: 'Newest first.',
    params: idParams,
    query: Type.Object({
      ...rangeQuery,
      status: Type.Optional(Type.Enum(['pending', 'delivered', 'retrying', 'dead'])),
    }),
    response: Type.Array(deliverySchema),
    isPaginated: true,
    async handler({ params, query, principal }) {
      const { id } = await admin.get(params.id)
      const range = rangeOf(query)
      const { rows, total } = await log.list(id, query.status, range)
      return rangePage(rows.map(presentTo(principal, rights)), total, range)
    },
  })

const readStats = ({ admin, log }: DeliveryRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:webhooks.stats',
    method: 'GET',
    path: '/webhooks/:id/stats',
    summary: 'Delivery statistics of a webhook',
    params: idParams,
    response: statsSchema,
    async handler({ params }) {
      const { id } = await admin.get(params.id)
      return log.stats(id)
    },
  })

const sendTest = ({ admin, redelivery }: DeliveryRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.test',
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: 'Send a test delivery',
    description:
      'One attempt, whose result is answered; whatever the events and content types, also while disabled.',
    params: idParams,
    response: deliverySchema,
    async handler({ params, principal }) {
      const webhook = await admin.get(params.id)
      return presentDelivery(await redelivery.test(webhook, actorOf(principal)))
    },
  })

const replayDelivery = ({ admin, redelivery, rights }: DeliveryRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.replay',
    method: 'POST',
    path: '/webhooks/:id/replay/:logId',
    summary: 'Replay a dead delivery',
    description: 'Makes a new delivery with the same payload.',
    params: Type.Object({ id: Type.Integer({ minimum: 1 }), logId: Type.Integer({ minimum: 1 }) }),
    response: deliverySchema,
    successStatus: 202,
    async handler({ params, principal }) {
      const webhook = await admin.get(params.id)
      return accepted(presentTo(principal, rights)(await redelivery.replay(webhook, params.logId)))
    },
  })

/** Callers see the payload where they may read such entries. */
function presentTo(principal: Principal, rights: ReceivingRights) {
  return (delivery: LoggedDelivery) => {
    const mayRead = rights.mayReceive(principal, delivery.contentType)
    return { ...presentDelivery(delivery), ...(mayRead ? {} : { payload: null }) }
  }
}

function presentDelivery(delivery: LoggedDelivery) {
  const { id, webhookId, event, origin, status, attempt } = delivery
  const { statusCode, responseTime, requestHeaders, responseHeaders, error, createdAt } = delivery
  return {
    ...{ id, webhookId, event, origin, status, statusCode, responseTime, attempt },
    ...{ requestHeaders, responseHeaders },
    payload: JSON.parse(bodyOf(delivery)) as unknown,
    error,
    created_at: createdAt,
  }
}
