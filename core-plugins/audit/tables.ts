import type { TableSpec } from '../database/database.ts'

export const auditTable: TableSpec = {
  name: 'svc_audit_logs',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'action', kind: 'string', length: 100 },
    { name: 'actor_kind', kind: 'string', length: 20, nullable: true },
    { name: 'actor_id', kind: 'integer', nullable: true },
    { name: 'actor_name', kind: 'string', nullable: true },
    { name: 'resource', kind: 'string', nullable: true },
    { name: 'details', kind: 'json', nullable: true },
    { name: 'ip', kind: 'string', length: 64, nullable: true },
    { name: 'created_at', kind: 'datetime' },
  ],
  indexes: [
    { columns: ['action'], type: 'index' },
    { columns: ['actor_id'], type: 'index' },
    { columns: ['resource'], type: 'index' },
    { columns: ['created_at'], type: 'index' },
  ],
}
