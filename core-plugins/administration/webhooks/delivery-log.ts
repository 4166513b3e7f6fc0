import { type SQL, sql } from 'drizzle-orm'
import {
  column,
  type Database,
  type Page,
  pageOf,
  type Queries,
  query,
  selectList,
  type Value,
} from '../../foundation/database/database.ts'
import type { Range } from '../../foundation/http/http.ts'
import type { DeliveryStats, DeliveryStatus } from './delivery.ts'
import { type Delivery, deliveriesTable, type Payload, payloadsTable, webhooksTable } from './tables.ts'

/** A delivery as shown in the log. */
export type LoggedDelivery = Omit<Delivery, 'payloadId' | 'replayed'> &
  Pick<Payload, 'contentType' | 'entryId' | 'data' | 'occurredAt'>

export type LogPage = Awaited<ReturnType<Page<LoggedDelivery>>>

/** Reads deliveries for display, newest first. */
export interface DeliveryLog {
  list(webhookId: number, status: DeliveryStatus | undefined, range: Range): Promise<LogPage>
  find(id: number, queries?: Queries): Promise<LoggedDelivery | undefined>
  findByUid(uid: string): Promise<LoggedDelivery | undefined>
  /** Dead deliveries of all webhooks that have not been replayed, without tests. */
  listDead(range: Range): Promise<LogPage>
  stats(webhookId: number): Promise<DeliveryStats>
  /** Removes a delivery from the list of dead ones. */
  markReplayed(id: number, queries: Queries): Promise<void>
}

/** The number of responses used for response times; reading all would be slow for busy webhooks. */
const timedAnswers = 1000

/** Makes the log. */
export function createDeliveryLog(database: Database): DeliveryLog {
  const queries = logQueries(database)

  return {
    list: (webhookId, status, range) =>
      status === undefined
        ? queries.ofWebhook({ webhookId, ...range })
        : queries.ofStatus({ webhookId, status, ...range }),
    find: (id, on) => queries.find.get({ id }, on),
    findByUid: (uid) => queries.findByUid.get({ uid }),
    listDead: (range) => queries.dead({ status: 'dead', test: 'test', replayed: false, ...range }),
    async stats(webhookId) {
      const [counts, times] = await Promise.all([
        queries.counts.all({ webhookId }),
        queries.times.all({ webhookId, count: timedAnswers }),
      ])
      return statsOf(
        new Map(counts.map(({ status, count }) => [status, count])),
        times.map(({ responseTime }) => responseTime ?? 0),
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

function logQueries(database: Database) {
  const deliveries = deliveriesTable.on(database)
  const d = deliveriesTable.as('d')
  const { id, uid, webhookId, status } = d.columns
  return {
    ...pageQueries(database),
    find: loggedQuery(database, (value) => sql`where ${id} = ${value(id)}`),
    findByUid: loggedQuery(database, (value) => sql`where ${uid} = ${value(uid)}`),
    counts: query(
      database,
      (value) => sql`select ${status}, count(*) as ${sql.identifier('count')} from ${d}
        where ${webhookId} = ${value(webhookId)} group by ${status}`,
      { status, count: column.integer() },
    ),
    times: query(
      database,
      (value) => sql`select ${selectList(database, d.pick('responseTime'))} from ${d}
        where ${webhookId} = ${value(webhookId)} and ${d.columns.statusCode} is not null
        order by ${id} desc limit ${value('count', 'integer')}`,
      d.pick('responseTime'),
    ),
    markReplayed: deliveries.update(['replayed'], ['id']),
  }
}

type Condition = (value: Value) => SQL

/** Deliveries with their payloads. */
function loggedQuery(database: Database, rest: Condition) {
  const [d, p] = [deliveriesTable.as('d'), payloadsTable.as('p')]
  const selected = {
    ...d.pick(...deliveriesTable.except('payloadId', 'replayed')),
    ...p.pick('contentType', 'entryId', 'data', 'occurredAt'),
  }
  return query(
    database,
    (value) => sql`select ${selectList(database, selected)} from ${d}
      join ${p} on ${p.columns.id} = ${d.columns.payloadId} ${rest(value)}`,
    selected,
  )
}

function pageQueries(database: Database) {
  const [d, w] = [deliveriesTable.as('d'), webhooksTable.as('w')]
  const { id, webhookId, status, replayed, origin } = d.columns
  const pages = (rest: Condition) =>
    pageOf(
      loggedQuery(
        database,
        (value) => sql`${rest(value)} order by ${id} desc
          limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      ),
      query(
        database,
        (value) => sql`select count(*) as ${sql.identifier('total')} from ${d} ${rest(value)}`,
        { total: column.integer() },
      ),
    )
  return {
    ofWebhook: pages((value) => sql`where ${webhookId} = ${value(webhookId)}`),
    ofStatus: pages(
      (value) => sql`where ${webhookId} = ${value(webhookId)} and ${status} = ${value(status)}`,
    ),
    dead: pages(
      (value) => sql`join ${w} on ${w.columns.id} = ${webhookId} where ${status} = ${value(status)}
        and ${replayed} = ${value(replayed)} and ${origin} <> ${value(origin, 'test')}`,
    ),
  }
}
