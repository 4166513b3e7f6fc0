import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  setList,
} from '../database/database.ts'
import type { DeliveryStatus, WebhookEvent } from './webhooks.ts'

/** What an administrator says about a webhook. */
export interface WebhookFields {
  readonly name: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly enabled: boolean
  /** None means all. */
  readonly contentTypes: readonly string[]
  readonly secret: string | null
  readonly headers: Readonly<Record<string, string>>
  /**
   * Who said where what is sent, as `Makers` of auth names it: the webhook is told of what they may read. Null for those
   * that are older than makers.
   */
  readonly madeBy: string | null
}

export interface Webhook extends WebhookFields {
  readonly id: number
  /** Dead deliveries in a row. */
  readonly consecutiveFailures: number
  readonly lastStatus: DeliveryStatus | null
  readonly lastDeliveryAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** What is needed to tell which webhooks an event is for. */
export type Subscription = Pick<Webhook, 'id' | 'url' | 'events' | 'contentTypes' | 'madeBy'>

/** The rows of `svc_webhooks`. Methods run in a transaction where they are given one. */
export interface WebhookStore {
  list(): Promise<Webhook[]>
  find(id: number): Promise<Webhook | undefined>
  lock(id: number, tx: Queries): Promise<Webhook | undefined>
  subscriptions(): Promise<Subscription[]>
  insert(fields: WebhookFields): Promise<Webhook>
  update(webhook: Webhook, tx: Queries): Promise<void>
  remove(id: number, tx: Queries): Promise<void>
  /** Notes how the last delivery went. */
  noteDelivery(id: number, status: DeliveryStatus, at: string, tx?: Queries): Promise<void>
  /** Notes that the last delivery arrived, which ends a row of failures. */
  noteSuccess(id: number, at: string, tx?: Queries): Promise<void>
  /** Counts a dead delivery. */
  countFailure(id: number, at: string, tx: Queries): Promise<void>
}

const columns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  url: { column: 'url', kind: 'text' },
  events: { column: 'events', kind: 'json' },
  contentTypes: { column: 'content_types', kind: 'json' },
  enabled: { column: 'enabled', kind: 'boolean' },
  secret: { column: 'secret', kind: 'text' },
  headers: { column: 'headers', kind: 'json' },
  madeBy: { column: 'made_by', kind: 'string' },
  consecutiveFailures: { column: 'consecutive_failures', kind: 'integer' },
  lastStatus: { column: 'last_status', kind: 'string' },
  lastDeliveryAt: { column: 'last_delivery_at', kind: 'datetime' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
} as const satisfies Columns

const { id, url, events, contentTypes, madeBy } = columns
const subscriptionColumns = { id, url, events, contentTypes, madeBy }
const { createdAt: _createdAt, ...changeable } = columns

/** Makes the store. */
export function createWebhookStore(database: Database): WebhookStore {
  const queries = webhookQueries(database)
  return {
    list: () => queries.list.all(),
    find: (id) => queries.find.get({ id }),
    lock: (id, tx) => queries.lock.get({ id }, tx),
    subscriptions: () => queries.subscriptions.all({ enabled: true }),
    async insert(fields) {
      const now = new Date().toISOString()
      const health = { consecutiveFailures: 0, lastStatus: null, lastDeliveryAt: null }
      const row = { ...fields, ...health, createdAt: now, updatedAt: now }
      const { insertId } = await queries.insert.run(row)
      return { ...row, id: insertId }
    },
    async update(webhook, tx) {
      await queries.update.run({ ...webhook }, tx)
    },
    async remove(id, tx) {
      await queries.remove.run({ id }, tx)
    },
    async noteDelivery(id, status, at, tx) {
      await queries.noteDelivery.run({ id, status, at }, tx)
    },
    async noteSuccess(id, at, tx) {
      await queries.noteSuccess.run({ id, status: 'delivered', at }, tx)
    },
    async countFailure(id, at, tx) {
      await queries.countFailure.run({ id, status: 'dead', at }, tx)
    },
  }
}

function webhookQueries(database: Database) {
  const table = sql`svc_webhooks`
  const select = sql`select ${selectList(database, columns)} from ${table}`
  const noting = (more: ReturnType<typeof sql>) =>
    query(
      database,
      (value) => sql`update ${table} set ${more} last_status = ${value('status', 'string')},
        last_delivery_at = ${value('at', 'datetime')} where id = ${value('id', 'id')}`,
    )
  return {
    list: query<Webhook>(database, () => sql`${select} order by id`, columns),
    find: query<Webhook>(database, (value) => sql`${select} where id = ${value('id', 'id')}`, columns),
    lock: query<Webhook>(
      database,
      (value) => sql`${select} where id = ${value('id', 'id')} ${database.dialect.forUpdate}`,
      columns,
    ),
    subscriptions: query<Subscription>(
      database,
      (value) => sql`select ${selectList(database, subscriptionColumns)} from ${table}
        where enabled = ${value('enabled', 'boolean')} order by id`,
      subscriptionColumns,
    ),
    insert: query(database, (value) => insertInto('svc_webhooks', columns, value)),
    update: query(
      database,
      (value) => sql`update ${table} set ${setList(changeable, value)} where id = ${value('id', 'id')}`,
    ),
    remove: query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`),
    noteDelivery: noting(sql``),
    noteSuccess: noting(sql`consecutive_failures = 0,`),
    countFailure: noting(sql`consecutive_failures = consecutive_failures + 1,`),
  }
}
