import type { SchemaChange } from '../../../../../../client/admin.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import type { ResourceColumn } from '../../ground/kit/resource-list/resource.ts'
import { ResourceTable } from '../../ground/kit/resource-list/resource-table.tsx'
import { changeName, placeOf } from './schema-change.ts'

interface PendingTableProps {
  readonly label: string
  readonly changes: readonly SchemaChange[]
}

/** The changes that a sync would make, and the data lost by them. */
export function PendingTable({ label, changes }: PendingTableProps) {
  return (
    <ResourceTable<SchemaChange>
      label={label}
      columns={columns()}
      items={changes}
      idOf={(change) => `${change.change} ${placeOf(change)}`}
      nameOf={placeOf}
      onAction={() => undefined}
    />
  )
}

const columns = (): readonly ResourceColumn<SchemaChange>[] => [
  { id: 'where', label: t('operations.database.where'), cell: (change) => <code>{placeOf(change)}</code> },
  { id: 'change', label: t('operations.database.change'), cell: changeName },
  {
    id: 'loses',
    label: t('operations.database.loses'),
    cell: ({ safe }) =>
      safe ? (
        <Badge tone="success">{t('operations.database.nothing')}</Badge>
      ) : (
        <Badge tone="danger">{t('operations.database.something')}</Badge>
      ),
  },
  { id: 'reason', label: t('operations.database.reason'), cell: ({ reason }) => reason, isSecondary: true },
  { id: 'plugin', label: t('operations.database.plugin'), cell: ({ plugin }) => plugin, isSecondary: true },
]
