import { Type } from 'typebox'
import {
  accepted,
  defineRoute,
  idParams,
  type Principal,
  presenterOf,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
} from '../../foundation/http/http.ts'
import { actorOf } from './content-changes.ts'
import { deliverySchema, deliveryStatsSchema, deliveryStatuses } from './delivery.ts'
import type { DeliveryLog, LoggedDelivery } from './delivery-log.ts'
import { bodyOf } from './message.ts'
import type { ReceivingRights } from './receiving-rights.ts'
import type { Redelivery } from './redelivery.ts'
import type { WebhookAdmin } from './webhook-admin.ts'

const read = { tag: 'Webhooks', access: 'area', scope: 'webhooks:read' } as const
const write = { tag: 'Webhooks', access: 'area', scope: 'webhooks:write' } as const

export interface DeliveryRoutesDeps {
  readonly admin: WebhookAdmin
  readonly log: DeliveryLog
  readonly redelivery: Redelivery
  readonly rights: ReceivingRights
}

/** Specification, "Webhooks": the log of deliveries, and replays. */
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
      status: Type.Optional(Type.Enum([...deliveryStatuses])),
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
    response: deliveryStatsSchema,
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

/** The payload is shown only to callers who may read such entries. */
function presentTo(principal: Principal, rights: ReceivingRights) {
  return (delivery: LoggedDelivery) => {
    const mayRead = rights.mayReceive(principal, delivery.contentType)
    return { ...presentDelivery(delivery), ...(mayRead ? {} : { payload: null }) }
  }
}

const present = presenterOf(deliverySchema)

function presentDelivery(delivery: LoggedDelivery) {
  return present({ ...delivery, payload: JSON.parse(bodyOf(delivery)) as unknown })
}
