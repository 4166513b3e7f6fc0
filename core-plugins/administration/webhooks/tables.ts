import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { DeliveryOrigin, DeliveryStatus } from './delivery.ts'

type Headers = Readonly<Record<string, string>>

export const webhooksTable = defineTable('svc_webhooks', {
  id: column.id(),
  name: column.string(),
  url: column.text(),
  events: column.json<readonly string[]>(),
  // An empty list means all types.
  contentTypes: column.json<readonly string[]>(),
  enabled: column.boolean(),
  secret: column.text().nullable(),
  headers: column.json<Headers>(),
  // The person who decided where events are sent, in the format of `Makers`: the webhook receives what they may read. Null for
  // webhooks made before makers were recorded.
  madeBy: column.string(40).nullable(),
  // The number of consecutive dead deliveries.
  consecutiveFailures: column.integer(),
  lastStatus: column.string<DeliveryStatus>(20).nullable(),
  lastDeliveryAt: column.datetime().nullable(),
  createdAt: column.datetime(),
  updatedAt: column.datetime(),
  // Identifies the webhook in all environments; null for older ones until it is needed.
  uuid: column.string(36).nullable(),
})

export type Webhook = RowOf<typeof webhooksTable>

/**
 * The payloads of events, each shared by the deliveries to all webhooks. `data` is JSON as it is sent. Separate from the
 * deliveries, whose rows are rewritten with every attempt.
 */
export const payloadsTable = defineTable(
  'svc_webhook_payloads',
  {
    id: column.string(36),
    contentType: column.string(),
    entryId: column.integer(),
    data: column.text(),
    occurredAt: column.datetime(),
    createdAt: column.datetime(),
  },
  { primaryKey: ['id'], indexes: [{ columns: ['createdAt'], type: 'index' }] },
)

/** An event as receivers get it. */
export type Payload = RowOf<typeof payloadsTable>

/**
 * One row per delivery, regardless of the number of attempts. Without foreign keys, which would be checked with every change
 * of content. Rows whose webhook has been deleted are neither sent nor shown, and are removed later.
 */
export const deliveriesTable = defineTable(
  'svc_webhook_deliveries',
  {
    id: column.id(),
    uid: column.string(36),
    webhookId: column.integer(),
    payloadId: column.string(36),
    event: column.string(40),
    origin: column.string<DeliveryOrigin>(10),
    status: column.string<DeliveryStatus>(10),
    // The number of attempts so far.
    attempt: column.integer(),
    statusCode: column.integer().nullable(),
    responseTime: column.integer().nullable(),
    // As shown in the log.
    requestHeaders: column.json<Headers>().nullable(),
    responseHeaders: column.json<Headers>().nullable(),
    error: column.text().nullable(),
    replayed: column.boolean(),
    createdAt: column.datetime(),
  },
  {
    indexes: [
      { columns: ['uid'], type: 'unique' },
      { columns: ['webhookId', 'id'], type: 'index' },
      { columns: ['webhookId', 'status', 'id'], type: 'index' },
      { columns: ['status', 'createdAt'], type: 'index' },
    ],
  },
)

export type Delivery = RowOf<typeof deliveriesTable>

/** All tables of the plugin. */
export const webhookTables = [webhooksTable.spec, payloadsTable.spec, deliveriesTable.spec]
