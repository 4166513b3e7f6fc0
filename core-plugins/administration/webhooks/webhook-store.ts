import { type SQL, sql } from 'drizzle-orm'
import { v7 as newUuid } from 'uuid'
import type { Database, Queries } from '../../foundation/database/database.ts'
import type { DeliveryStatus } from './delivery.ts'
import { type Webhook, webhooksTable } from './tables.ts'

/** The fields that administrators set. */
export type WebhookFields = Pick<
  Webhook,
  'name' | 'url' | 'events' | 'enabled' | 'contentTypes' | 'secret' | 'headers' | 'madeBy'
>

/** The data needed to find the webhooks for an event. */
export type Subscription = Pick<Webhook, 'id' | 'url' | 'events' | 'contentTypes' | 'madeBy'>

/** A webhook with an identity across environments. */
export type KnownWebhook = Webhook & { readonly uuid: string }

/** Accesses the rows of `svc_webhooks`. Methods run in a transaction if one is given. */
export interface WebhookStore {
  list(): Promise<Webhook[]>
  /** All webhooks with their UUIDs; locked if there is a transaction. */
  listKnown(tx?: Queries): Promise<KnownWebhook[]>
  find(id: number): Promise<Webhook | undefined>
  lock(id: number, tx: Queries): Promise<Webhook | undefined>
  subscriptions(): Promise<Subscription[]>
  insert(
    fields: WebhookFields,
    identity?: { readonly uuid?: string; readonly tx?: Queries | undefined },
  ): Promise<Webhook>
  update(webhook: Webhook, tx: Queries): Promise<void>
  remove(id: number, tx: Queries): Promise<void>
  /** Records the outcome of the last delivery. */
  noteDelivery(id: number, status: DeliveryStatus, at: string, tx?: Queries): Promise<void>
  /** Records that the last delivery arrived, which ends a series of failures. */
  noteSuccess(id: number, at: string, tx?: Queries): Promise<void>
  /** Counts a dead delivery. */
  countFailure(id: number, at: string, tx: Queries): Promise<void>
}

/** Makes the store. */
export function createWebhookStore(database: Database): WebhookStore {
  const queries = webhookQueries(database)
  return {
    list: () => queries.list.all(),
    find: (id) => queries.find.get({ id }),
    lock: (id, tx) => queries.lock.get({ id }, tx),
    subscriptions: () => queries.subscriptions.all({ enabled: true }),
    async listKnown(tx) {
      const all = await (tx === undefined ? queries.list.all() : queries.lockAll.all({}, tx))
      for (const { id } of all.filter(({ uuid }) => uuid === null)) {
        await queries.identify.run({ id, uuid: newUuid() }, tx)
      }
      const isComplete = all.every(({ uuid }) => uuid !== null)
      const known = isComplete ? all : await queries.list.all({}, tx)
      return known.flatMap((webhook) => (webhook.uuid === null ? [] : [{ ...webhook, uuid: webhook.uuid }]))
    },
    async insert(fields, { uuid = newUuid(), tx } = {}) {
      const now = new Date().toISOString()
      const health = { consecutiveFailures: 0, lastStatus: null, lastDeliveryAt: null }
      const row = { ...fields, ...health, uuid, createdAt: now, updatedAt: now }
      const { insertId } = await queries.insert.run(row, tx)
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
  const webhooks = webhooksTable.on(database)
  const { id, lastStatus, lastDeliveryAt, consecutiveFailures, uuid } = webhooksTable.columns
  const noting = (more: SQL) =>
    webhooks.update(
      (value) => sql`${more} ${lastStatus} = ${value(lastStatus, 'status')},
        ${lastDeliveryAt} = ${value(lastDeliveryAt, 'at')}`,
      ['id'],
    )
  return {
    list: webhooks.find([], { orderBy: sql`${id}` }),
    lockAll: webhooks.find([], { orderBy: sql`${id}`, lock: true }),
    // Another process may have set it in the meantime.
    identify: webhooks.update((value) => sql`${uuid} = coalesce(${uuid}, ${value(uuid)})`, ['id']),
    find: webhooks.find(['id']),
    lock: webhooks.find(['id'], { lock: true }),
    subscriptions: webhooks.find(['enabled'], {
      pick: ['id', 'url', 'events', 'contentTypes', 'madeBy'],
      orderBy: sql`${id}`,
    }),
    insert: webhooks.insert(),
    update: webhooks.update(webhooksTable.except('id', 'uuid', 'createdAt'), ['id']),
    remove: webhooks.delete(['id']),
    noteDelivery: noting(sql``),
    noteSuccess: noting(sql`${consecutiveFailures} = 0,`),
    countFailure: noting(sql`${consecutiveFailures} = ${consecutiveFailures} + 1,`),
  }
}
