import { column, defineTable } from '../../foundation/database/database.ts'
import type { AlertSeverity, AlertStatus } from './alert.ts'

/** `open_key` identifies kind and subject until the alert is resolved, so that only one unresolved alert exists for each. */
export const alertsTable = defineTable(
  'svc_alerts',
  {
    id: column.id(),
    kind: column.string(100),
    severity: column.string<AlertSeverity>(20),
    message: column.text(),
    details: column.json().nullable(),
    status: column.string<AlertStatus>(20),
    count: column.integer().named('occurrences'),
    openKey: column.string(64).nullable(),
    firstSeenAt: column.datetime(),
    lastSeenAt: column.datetime(),
  },
  {
    indexes: [
      { columns: ['openKey'], type: 'unique' },
      { columns: ['status'], type: 'index' },
      { columns: ['lastSeenAt'], type: 'index' },
    ],
  },
)
