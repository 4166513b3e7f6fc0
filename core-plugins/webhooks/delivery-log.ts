import { type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  type Queries,
  type Query,
  query,
  selectList,
  type Value,
} from '../database/database.ts'
import type { Range } from '../http/http.ts'
import type { DeliveryOrigin, DeliveryState } from './delivery-store.ts'
import { deliveryColumns, payloadColumns } from './tables.ts'
import type { DeliveryStatus } from './webhooks.ts'

/** A delivery as the log shows it. */
export interface LoggedDelivery extends DeliveryState {
  readonly id: number
  readonly uid: string
  readonly webhookId: number
  readonly event: string
  readonly origin: DeliveryOrigin
  readonly contentType: string
  readonly entryId: number
  /** JSON. */
  readonly data: string
  readonly occurredAt: string
  readonly createdAt: string
}

export interface LogPage {
  readonly items: readonly LoggedDelivery[]
  readonly total: number
}

/** decisions.md, 7. Times are in milliseconds, of the latest answered attempts; null where there are none. */
export interface DeliveryStats {
  readonly total: number
  readonly delivered: number
  readonly dead: number
  readonly pending: number
  /** Of the finished ones, 0 to 1. */
  readonly successRate: number | null
  readonly avgResponseTime: number | null
  readonly p95ResponseTime: number | null
}

/** Reads deliveries for people, newest first. */
export interface DeliveryLog {
  list(webhookId: number, status: DeliveryStatus | undefined, range: Range): Promise<LogPage>
  find(id: number, queries?: Queries): Promise<LoggedDelivery | undefined>
  findByUid(uid: string): Promise<LoggedDelivery | undefined>
  /** Dead deliveries of all webhooks that have not been replayed, without tests. */
  listDead(range: Range): Promise<LogPage>
  stats(webhookId: number): Promise<DeliveryStats>
  /** Takes a delivery off the list of dead ones. */
  markReplayed(id: number, queries: Queries): Promise<void>
}

const columns = { id: { column: 'id', kind: 'id' }, ...deliveryColumns } as const satisfies Columns

/** So many answers tell how fast a receiver is; reading all would take longer the busier a webhook is. */
const timedAnswers = 1000

/** Makes the log. */
export function createDeliveryLog(database: Database): DeliveryLog {
  const queries = logQueries(database)

  async function page(part: PageQueries, values: object, { limit, offset }: Range): Promise<LogPage> {
    const [items, counted] = await Promise.all([
      part.items.all({ ...values, limit, offset }),
      part.count.get({ ...values }),
    ])
    return { items, total: counted?.count ?? 0 }
  }

  return {
    list: (webhookId, status, range) =>
      status === undefined
        ? page(queries.ofWebhook, { webhookId }, range)
        : page(queries.ofStatus, { webhookId, status }, range),
    find: (id, on) => queries.find.get({ id }, on),
    findByUid: (uid) => queries.findByUid.get({ uid }),
    listDead: (range) => page(queries.dead, { status: 'dead', test: 'test', replayed: false }, range),
    async stats(webhookId) {
      const [counts, times] = await Promise.all([
        queries.counts.all({ webhookId }),
        queries.times.all({ webhookId, count: timedAnswers }),
      ])
      return statsOf(
        new Map(counts.map(({ status, count }) => [status, count])),
        times.map(({ responseTime }) => responseTime),
      )
    },
    async markReplayed(id, on) {
      await queries.markReplayed.run({ id, replayed: true }, on)
    },
  }
}

function statsOf(counts: ReadonlyMap<DeliveryStatus, number>, times: readonly number[]): DeliveryStats {
  const countOf = (status: DeliveryStatus) => counts.get(status) ?? 0
  const delivered = countOf('delivered')
  const dead = countOf('dead')
  const pending = countOf('pending') + countOf('retrying')
  const finished = delivered + dead
  const sorted = times.toSorted((left, right) => left - right)
  return {
    total: finished + pending,
    delivered,
    dead,
    pending,
    successRate: finished === 0 ? null : delivered / finished,
    avgResponseTime:
      sorted.length === 0 ? null : Math.round(sorted.reduce((sum, time) => sum + time, 0) / sorted.length),
    p95ResponseTime: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null,
  }
}

interface PageQueries {
  readonly items: Query<LoggedDelivery>
  readonly count: Query<{ count: number }>
}

function logQueries(database: Database) {
  const table = sql`svc_webhook_deliveries`
  const all = { ...columns, ...payloadColumns }
  const selected = sql`select ${selectList(database, columns, 'd')}, ${selectList(database, payloadColumns, 'p')}`
  const joined = sql`from ${table} d join svc_webhook_payloads p on p.id = d.payload_id`
  type Where = (value: Value) => SQL
  const find = (where: Where) =>
    query<LoggedDelivery>(database, (value) => sql`${selected} ${joined} where ${where(value)}`, all)
  const pages = (from: SQL, where: Where): PageQueries => ({
    items: query<LoggedDelivery>(
      database,
      (value) => sql`${selected} ${joined} ${from} where ${where(value)} order by d.id desc
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      all,
    ),
    count: query<{ count: number }>(
      database,
      (value) =>
        sql`select count(*) as ${sql.identifier('count')} from ${table} d ${from} where ${where(value)}`,
      { count: { column: 'count', kind: 'integer' } },
    ),
  })
  return {
    ofWebhook: pages(sql``, (value) => sql`d.webhook_id = ${value('webhookId', 'integer')}`),
    ofStatus: pages(
      sql``,
      (value) =>
        sql`d.webhook_id = ${value('webhookId', 'integer')} and d.status = ${value('status', 'string')}`,
    ),
    dead: pages(
      sql`join svc_webhooks w on w.id = d.webhook_id`,
      (value) => sql`d.status = ${value('status', 'string')} and d.replayed = ${value('replayed', 'boolean')}
        and d.origin <> ${value('test', 'string')}`,
    ),
    find: find((value) => sql`d.id = ${value('id', 'id')}`),
    findByUid: find((value) => sql`d.uid = ${value('uid', 'string')}`),
    counts: query<{ status: DeliveryStatus; count: number }>(
      database,
      (value) => sql`select status, count(*) as ${sql.identifier('count')} from ${table}
        where webhook_id = ${value('webhookId', 'integer')} group by status`,
      { status: columns.status, count: { column: 'count', kind: 'integer' } },
    ),
    times: query<{ responseTime: number }>(
      database,
      (value) => sql`select response_time as ${sql.identifier('responseTime')} from ${table}
        where webhook_id = ${value('webhookId', 'integer')} and status_code is not null
        order by id desc limit ${value('count', 'integer')}`,
      { responseTime: columns.responseTime },
    ),
    markReplayed: query(
      database,
      (value) =>
        sql`update ${table} set replayed = ${value('replayed', 'boolean')} where id = ${value('id', 'id')}`,
    ),
  }
}
