import type { Columns, TableSpec } from '../database/database.ts'

export const webhooksTable: TableSpec = {
  name: 'svc_webhooks',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'string' },
    { name: 'url', kind: 'text' },
    { name: 'events', kind: 'json' },
    { name: 'content_types', kind: 'json' },
    { name: 'enabled', kind: 'boolean' },
    { name: 'secret', kind: 'text', nullable: true },
    { name: 'headers', kind: 'json' },
    { name: 'made_by', kind: 'string', length: 40, nullable: true },
    { name: 'consecutive_failures', kind: 'integer' },
    { name: 'last_status', kind: 'string', length: 20, nullable: true },
    { name: 'last_delivery_at', kind: 'datetime', nullable: true },
    { name: 'created_at', kind: 'datetime' },
    { name: 'updated_at', kind: 'datetime' },
  ],
}

/**
 * What a change is told as, once for all webhooks that are told of it. `data` is JSON as it is sent. Apart from
 * the deliveries, whose rows are written anew with every attempt.
 */
export const payloadsTable: TableSpec = {
  name: 'svc_webhook_payloads',
  columns: [
    { name: 'id', kind: 'string', length: 36 },
    { name: 'content_type', kind: 'string' },
    { name: 'entry_id', kind: 'integer' },
    { name: 'data', kind: 'text' },
    { name: 'occurred_at', kind: 'datetime' },
    { name: 'created_at', kind: 'datetime' },
  ],
  primaryKey: ['id'],
  indexes: [{ columns: ['created_at'], type: 'index' }],
}

/**
 * One row a delivery, whatever the number of attempts. No foreign keys: each would be checked with every change of
 * content. Rows whose webhook is gone are never sent nor shown, and are swept.
 */
export const deliveriesTable: TableSpec = {
  name: 'svc_webhook_deliveries',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'uid', kind: 'string', length: 36 },
    { name: 'webhook_id', kind: 'integer' },
    { name: 'payload_id', kind: 'string', length: 36 },
    { name: 'event', kind: 'string', length: 40 },
    { name: 'origin', kind: 'string', length: 10 },
    { name: 'status', kind: 'string', length: 10 },
    { name: 'attempt', kind: 'integer' },
    { name: 'status_code', kind: 'integer', nullable: true },
    { name: 'response_time', kind: 'integer', nullable: true },
    { name: 'request_headers', kind: 'json', nullable: true },
    { name: 'response_headers', kind: 'json', nullable: true },
    { name: 'error', kind: 'text', nullable: true },
    { name: 'replayed', kind: 'boolean' },
    { name: 'created_at', kind: 'datetime' },
  ],
  indexes: [
    { columns: ['uid'], type: 'unique' },
    { columns: ['webhook_id', 'id'], type: 'index' },
    { columns: ['webhook_id', 'status', 'id'], type: 'index' },
    { columns: ['status', 'created_at'], type: 'index' },
  ],
}

/** What a payload says, by the names of `Payload`. */
export const payloadColumns = {
  contentType: { column: 'content_type', kind: 'string' },
  entryId: { column: 'entry_id', kind: 'integer' },
  data: { column: 'data', kind: 'text' },
  occurredAt: { column: 'occurred_at', kind: 'datetime' },
} as const satisfies Columns

/** How far a delivery has come, by the names of `DeliveryState`. */
export const stateColumns = {
  status: { column: 'status', kind: 'string' },
  attempt: { column: 'attempt', kind: 'integer' },
  statusCode: { column: 'status_code', kind: 'integer' },
  responseTime: { column: 'response_time', kind: 'integer' },
  requestHeaders: { column: 'request_headers', kind: 'json' },
  responseHeaders: { column: 'response_headers', kind: 'json' },
  error: { column: 'error', kind: 'text' },
} as const satisfies Columns

/** A delivery itself. */
export const deliveryColumns = {
  uid: { column: 'uid', kind: 'string' },
  webhookId: { column: 'webhook_id', kind: 'integer' },
  event: { column: 'event', kind: 'string' },
  origin: { column: 'origin', kind: 'string' },
  ...stateColumns,
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns

/** All of them, to be contributed. */
export const webhookTables = [webhooksTable, payloadsTable, deliveriesTable]
