import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

export const auditTable = defineTable(
  'svc_audit_logs',
  {
    id: column.id(),
    action: column.string(100),
    actorKind: column.string(20).nullable(),
    actorId: column.integer().nullable(),
    actorName: column.string().nullable(),
    resource: column.string().nullable(),
    details: column.json().nullable(),
    ip: column.string(64).nullable(),
    createdAt: column.datetime(),
  },
  {
    indexes: [
      { columns: ['action'], type: 'index' },
      // Includes the id, so that an actor's latest records are found without sorting all of them.
      { columns: ['actorId', 'id'], type: 'index' },
      { columns: ['resource'], type: 'index' },
      { columns: ['createdAt'], type: 'index' },
    ],
  },
)

export type AuditEntry = RowOf<typeof auditTable>
