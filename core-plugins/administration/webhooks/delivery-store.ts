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

/** How far a delivery has come. */
export type DeliveryState = Pick<Delivery, (typeof stateColumns)[number]>

/** A delivery with its webhook and payload as they are now, ready to be sent. */
export type OpenDelivery = Deliverable &
  Pick<Delivery, 'status' | 'attempt' | 'origin'> &
  Pick<Payload, 'contentType'> &
  Pick<Webhook, 'url' | 'madeBy' | 'enabled' | 'consecutiveFailures' | 'lastStatus' | 'lastDeliveryAt'>

/** The rows of `svc_webhook_payloads` and `svc_webhook_deliveries`, as far as deliveries are made and sent. */
export interface DeliveryStore {
  /** With the next statement of the transaction. */
  addPayloads(payloads: readonly Payload[], tx: Transaction): void
  hasPayload(id: string, queries: Queries): Promise<boolean>
  /** With the next statement of the transaction. */
  add(deliveries: readonly NewDelivery[], tx: Transaction): void
  /** Undefined where the delivery or its webhook is gone. Many that are asked for together are read together. */
  open(uid: string): Promise<OpenDelivery | undefined>
  /** False where the delivery is finished already. Without a transaction, many share one. */
  advance(uid: string, state: DeliveryState, tx?: Queries): Promise<boolean>
  /** Ends an unfinished delivery; false where it is finished already. Without a transaction, many share one. */
  giveUp(uid: string, error: string, tx?: Queries): Promise<boolean>
}

/** What becomes of a delivery; false where nothing does. */
type Step = (queries: Queries) => Promise<boolean>

/** What every delivery begins with. */
const untried = { status: 'pending', attempt: 0, replayed: false } as const

/** The ends of attempts are awaited for each other, so that they share the cost of one commit. */
const lingerMs = 5

/** Makes the store. */
export function createDeliveryStore(database: Database): DeliveryStore {
  const queries = deliveryQueries(database)
  const open = gathered(async (uids: readonly string[]) => {
    const found = new Map((await queries.open.all({ uids })).map((delivery) => [delivery.uid, delivery]))
    return uids.map((uid) => found.get(uid))
  })

  // A step that is lost with the machine is made again by its job, which is lost as well.
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
