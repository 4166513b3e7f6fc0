import type { AuditEntry } from '../../../../../../client/admin.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Page } from '../../ground/kit/page/page.tsx'
import { Data, Facts, Moment } from '../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn } from '../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../ground/kit/resource-list/resource-list.tsx'
import { auditFilters, auditResource } from './audit-list.ts'
import { actorText } from './audit-record.ts'
import { ExportMenu } from './export-menu.tsx'

/** The audit log. */
export default function AuditScreen() {
  return (
    <Page title={t('operations.audit.title')} actions={<ExportMenu />}>
      <ResourceList<AuditEntry>
        label={t('operations.audit.title')}
        resource={auditResource}
        columns={columns()}
        filters={auditFilters()}
        nameOf={({ action, id }) => `${action} ${id}`}
        detailOf={(record) => <RecordDetail record={record} />}
        empty={{ icon: 'scroll-text', title: t('operations.audit.empty') }}
      />
    </Page>
  )
}

const columns = (): readonly ResourceColumn<AuditEntry>[] => [
  { id: 'action', label: t('operations.audit.action'), cell: ({ action }) => action },
  { id: 'actor', label: t('operations.audit.actor'), cell: actorText },
  {
    id: 'resource',
    label: t('operations.audit.resource'),
    cell: ({ resource }) => resource,
    isSecondary: true,
  },
  { id: 'ip', label: t('operations.audit.ip'), cell: ({ ip }) => ip, isSecondary: true },
  {
    id: 'at',
    label: t('operations.audit.at'),
    cell: ({ created_at: at }) => <Moment at={at} />,
    isSecondary: true,
  },
]

function RecordDetail({ record }: { readonly record: AuditEntry }) {
  return (
    <>
      <Facts
        facts={[
          [t('operations.audit.actor'), actorText(record)],
          [t('operations.audit.resource'), record.resource],
          [t('operations.audit.at'), <Moment key="at" at={record.created_at} />],
          [t('operations.audit.ip'), record.ip],
        ]}
      />
      <Data label={t('operations.audit.details')} value={record.details} />
    </>
  )
}
