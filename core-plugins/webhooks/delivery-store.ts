import { type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertMany,
  type Queries,
  query,
  selectList,
  setList,
  type Transaction,
} from '../database/database.ts'
import { gathered } from './gathered.ts'
import type { Deliverable } from './message.ts'
import { deliveryColumns, payloadColumns, stateColumns } from './tables.ts'
import type { DeliveryStatus } from './webhooks.ts'

/** Why a delivery was made. */
export type DeliveryOrigin = 'change' | 'replay' | 'test'

/** What happened, as receivers are told; see `payloadsTable`. */
export interface Payload {
  readonly id: string
  readonly contentType: string
  readonly entryId: number
  /** JSON. */
  readonly data: string
  readonly occurredAt: string
  readonly createdAt: string
}

export interface NewDelivery {
  readonly uid: string
  readonly webhookId: number
  readonly payloadId: string
  readonly event: string
  readonly origin: DeliveryOrigin
  readonly createdAt: string
}

/** How far a delivery has come. Headers are as the log shows them. */
export interface DeliveryState {
  readonly status: DeliveryStatus
  /** Attempts so far. */
  readonly attempt: number
  readonly statusCode: number | null
  readonly responseTime: number | null
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly error: string | null
}

/** A delivery with its webhook and payload as they are now, ready to be sent. */
export interface OpenDelivery extends Deliverable {
  readonly status: DeliveryStatus
  readonly attempt: number
  readonly origin: DeliveryOrigin
  readonly contentType: string
  readonly url: string
  /** Of the webhook. */
  readonly madeBy: string | null
  readonly enabled: boolean
  readonly consecutiveFailures: number
  readonly lastStatus: DeliveryStatus | null
  readonly lastDeliveryAt: string | null
}

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

const newPayloadColumns = {
  id: { column: 'id', kind: 'string' },
  ...payloadColumns,
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns

const { uid, webhookId, event, origin, status, attempt, createdAt } = deliveryColumns

const newColumns = {
  ...{ uid, webhookId, event, origin, status, attempt, createdAt },
  payloadId: { column: 'payload_id', kind: 'string' },
  replayed: { column: 'replayed', kind: 'boolean' },
} as const satisfies Columns

const openColumns = {
  delivery: { uid, webhookId, event, origin, status, attempt },
  payload: {
    contentType: payloadColumns.contentType,
    data: payloadColumns.data,
    occurredAt: payloadColumns.occurredAt,
  },
  webhook: {
    url: { column: 'url', kind: 'text' },
    madeBy: { column: 'made_by', kind: 'string' },
    secret: { column: 'secret', kind: 'text' },
    headers: { column: 'headers', kind: 'json' },
    enabled: { column: 'enabled', kind: 'boolean' },
    consecutiveFailures: { column: 'consecutive_failures', kind: 'integer' },
    lastStatus: { column: 'last_status', kind: 'string' },
    lastDeliveryAt: { column: 'last_delivery_at', kind: 'datetime' },
  },
} as const satisfies Record<string, Columns>

/** What becomes of a delivery; false where nothing does. */
type Step = (queries: Queries) => Promise<boolean>

/** What every delivery begins with. */
const untried = { status: 'pending', attempt: 0, replayed: false } as const

/** The ends of attempts are awaited for each other, so that they share the cost of one commit. */
const lingerMs = 5

/** Makes the store. */
export function createDeliveryStore(database: Database): DeliveryStore {
  const queries = deliveryQueries(database)
  const insertRows = insertMany<NewDelivery & typeof untried>(database, {
    table: 'svc_webhook_deliveries',
    columns: newColumns,
  })

  const insertPayloads = insertMany<Payload>(database, {
    table: 'svc_webhook_payloads',
    columns: newPayloadColumns,
  })

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
    addPayloads: (payloads, tx) => insertPayloads.soon(payloads, tx),
    async hasPayload(id, on) {
      return (await queries.findPayload.get({ id }, on)) !== undefined
    },
    add(deliveries, tx) {
      insertRows.soon(
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
  const table = sql`svc_webhook_deliveries`
  const { delivery, payload, webhook } = openColumns
  const selected = sql.join(
    [
      selectList(database, delivery, 'd'),
      selectList(database, payload, 'p'),
      selectList(database, webhook, 'w'),
    ],
    sql`, `,
  )
  const unfinished: SQL = sql`status in ('pending', 'retrying')`
  return {
    findPayload: query(
      database,
      (value) => sql`select id from svc_webhook_payloads where id = ${value('id', 'string')}`,
      { id: newPayloadColumns.id },
    ),
    open: query<OpenDelivery>(
      database,
      (_, inList) => sql`select ${selected} from ${table} d join svc_webhook_payloads p on p.id = d.payload_id
        join svc_webhooks w on w.id = d.webhook_id where ${inList(sql`d.uid`, 'uids', 'string')}`,
      { ...delivery, ...payload, ...webhook },
    ),
    advance: query(
      database,
      (value) => sql`update ${table} set ${setList(stateColumns, value)}
        where uid = ${value('uid', 'string')} and ${unfinished}`,
    ),
    giveUp: query(
      database,
      (
        value,
      ) => sql`update ${table} set status = ${value('status', 'string')}, error = ${value('error', 'text')}
        where uid = ${value('uid', 'string')} and ${unfinished}`,
    ),
  }
}
