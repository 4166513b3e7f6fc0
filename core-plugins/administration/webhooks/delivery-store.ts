import { sql } from 'drizzle-orm'
import {
  type Database,
  type Queries,
  query,
  selectList,
  type Transaction,
  type Value,
} from '../../foundation/database/database.ts'
import { gathered } from './gathered.ts'
import type { Deliverable } from './message.ts'
import {
  type Delivery,
  deliveriesTable,
  type Payload,
  payloadsTable,
  type Webhook,
  webhooksTable,
} from './tables.ts'

export type NewDelivery = Pick<Delivery, 'uid' | 'webhookId' | 'payloadId' | 'event' | 'origin' | 'createdAt'>

const stateColumns = [
  ...(['status', 'attempt', 'statusCode', 'responseTime'] as const),
  ...(['requestHeaders', 'responseHeaders', 'error'] as const),
] as const

/** The progress of a delivery. */
export type DeliveryState = Pick<Delivery, (typeof stateColumns)[number]>

/** A delivery with the present data of its webhook and payload, ready to be sent. */
export type OpenDelivery = Deliverable &
  Pick<Delivery, 'status' | 'attempt' | 'origin'> &
  Pick<Payload, 'contentType'> &
  Pick<Webhook, 'url' | 'madeBy' | 'enabled' | 'consecutiveFailures' | 'lastStatus' | 'lastDeliveryAt'>

/** Accesses the rows of `svc_webhook_payloads` and `svc_webhook_deliveries` to make and send deliveries. */
export interface DeliveryStore {
  /** Inserted with the next statement of the transaction. */
  addPayloads(payloads: readonly Payload[], tx: Transaction): void
  hasPayload(id: string, queries: Queries): Promise<boolean>
  /** Inserted with the next statement of the transaction. */
  add(deliveries: readonly NewDelivery[], tx: Transaction): void
  /** Undefined if the delivery or its webhook no longer exists. Concurrent calls share a query. */
  open(uid: string): Promise<OpenDelivery | undefined>
  /** False if the delivery is already finished. Calls without a transaction share one. */
  advance(uid: string, state: DeliveryState, tx?: Queries): Promise<boolean>
  /** Ends an unfinished delivery; false if it is already finished. Calls without a transaction share one. */
  giveUp(uid: string, error: string, tx?: Queries): Promise<boolean>
}

/** A change of a delivery; false if it does not apply. */
type Step = (queries: Queries) => Promise<boolean>

/** The initial state of every delivery. */
const untried = { status: 'pending', attempt: 0, replayed: false } as const

/** How long the end of an attempt waits for others, so that they share the cost of one commit. */
const lingerMs = 5

/** Makes the store. */
export function createDeliveryStore(database: Database): DeliveryStore {
  const queries = deliveryQueries(database)
  const open = gathered(async (uids: readonly string[]) => {
    const found = new Map((await queries.open.all({ uids })).map((delivery) => [delivery.uid, delivery]))
    return uids.map((uid) => found.get(uid))
  })

  // Relaxed durability: after a power failure the job is lost together with the step, so it repeats the step.
  const takeStep = gathered(
    (steps: readonly Step[]) =>
      database.transaction((tx) => Promise.all(steps.map((step) => step(tx))), { durability: 'relaxed' }),
    lingerMs,
  )

  const stepIn = (step: Step, tx: Queries | undefined) => (tx === undefined ? takeStep(step) : step(tx))

  return {
    addPayloads: (payloads, tx) => queries.insertPayloads.soon(payloads, tx),
    async hasPayload(id, on) {
      return (await queries.findPayload.get({ id }, on)) !== undefined
    },
    add(deliveries, tx) {
      queries.insert.soon(
        deliveries.map((delivery) => ({ ...delivery, ...untried })),
        tx,
      )
    },
    open,
    advance: (uid, state, tx) =>
      stepIn(async (on) => (await queries.advance.run({ uid, ...state }, on)).changes > 0, tx),
    giveUp: (uid, error, tx) =>
      stepIn(async (on) => (await queries.giveUp.run({ uid, error, status: 'dead' }, on)).changes > 0, tx),
  }
}

function deliveryQueries(database: Database) {
  const deliveries = deliveriesTable.on(database)
  const payloads = payloadsTable.on(database)
  const { uid, status } = deliveriesTable.columns
  const isUnfinished = (value: Value) => sql`${uid} = ${value(uid)} and ${status} in ('pending', 'retrying')`
  return {
    insertPayloads: payloads.insertMany(),
    findPayload: payloads.find(['id'], { pick: ['id'] }),
    insert: deliveries.insertMany({
      columns: [
        ...(['uid', 'webhookId', 'event', 'origin', 'status', 'attempt'] as const),
        ...(['createdAt', 'payloadId', 'replayed'] as const),
      ],
    }),
    open: openQuery(database),
    advance: deliveries.update(stateColumns, isUnfinished),
    giveUp: deliveries.update(['status', 'error'], isUnfinished),
  }
}

function openQuery(database: Database) {
  const [d, p, w] = [deliveriesTable.as('d'), payloadsTable.as('p'), webhooksTable.as('w')]
  const selected = {
    ...d.pick('uid', 'webhookId', 'event', 'origin', 'status', 'attempt'),
    ...p.pick('contentType', 'data', 'occurredAt'),
    ...w.pick('url', 'madeBy', 'secret', 'headers', 'enabled'),
    ...w.pick('consecutiveFailures', 'lastStatus', 'lastDeliveryAt'),
  }
  return query(
    database,
    (_, inList) => sql`select ${selectList(database, selected)} from ${d}
      join ${p} on ${p.columns.id} = ${d.columns.payloadId}
      join ${w} on ${w.columns.id} = ${d.columns.webhookId} where ${inList(d.columns.uid, 'uids')}`,
    selected,
  )
}
