import type { TableSpec } from '../database/database.ts'

/** `open_key` stands for kind and subject until the alert is resolved, so that there is one of them at a time. */
export const alertsTable: TableSpec = {
  name: 'svc_alerts',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'kind', kind: 'string', length: 100 },
    { name: 'severity', kind: 'string', length: 20 },
    { name: 'message', kind: 'text' },
    { name: 'details', kind: 'json', nullable: true },
    { name: 'status', kind: 'string', length: 20 },
    { name: 'occurrences', kind: 'integer' },
    { name: 'open_key', kind: 'string', length: 64, nullable: true },
    { name: 'first_seen_at', kind: 'datetime' },
    { name: 'last_seen_at', kind: 'datetime' },
  ],
  indexes: [
    { columns: ['open_key'], type: 'unique' },
    { columns: ['status'], type: 'index' },
    { columns: ['last_seen_at'], type: 'index' },
  ],
}
