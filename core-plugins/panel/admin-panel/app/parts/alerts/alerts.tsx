import type { Alert } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { type TextKey, t } from '../../ground/i18n/translate.ts'
import { Badge, type BadgeProps } from '../../ground/kit/badge/badge.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { Data, Facts, Moment } from '../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn, ResourceFilter, RowAction } from '../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../ground/kit/resource-list/resource-list.tsx'

const path = '/admin/operational-alerts'
const resource = { key: 'alerts', path, hasItems: true, refreshMs: 30_000 }

const severities: Readonly<Record<Alert['severity'], NonNullable<BadgeProps['tone']>>> = {
  critical: 'danger',
  warning: 'warning',
  info: 'info',
}
const statuses = ['open', 'acknowledged', 'resolved'] as const

/** The alerts of the service. */
export default function AlertsScreen() {
  const mayWrite = useAccess().mayArea('alerts', 'write')
  return (
    <Page title={t('operations.alerts.title')}>
      <ResourceList<Alert>
        label={t('operations.alerts.title')}
        resource={resource}
        columns={columns()}
        filters={filters()}
        nameOf={({ message }) => message}
        detailOf={(alert) => <AlertDetail alert={alert} />}
        empty={{
          icon: 'circle-check',
          title: t('operations.alerts.empty'),
          text: t('operations.alerts.emptyText'),
        }}
        {...(mayWrite ? { actionsOf } : {})}
      />
    </Page>
  )
}

const severityName = (severity: Alert['severity']) =>
  t(`operations.alerts.severities.${severity}` satisfies TextKey)
const statusName = (status: Alert['status']) => t(`operations.alerts.statuses.${status}` satisfies TextKey)

const columns = (): readonly ResourceColumn<Alert>[] => [
  { id: 'message', label: t('operations.alerts.message'), cell: ({ message }) => message },
  {
    id: 'severity',
    label: t('operations.alerts.severity'),
    cell: ({ severity }) => <Badge tone={severities[severity]}>{severityName(severity)}</Badge>,
  },
  {
    id: 'status',
    label: t('operations.alerts.status'),
    cell: ({ status }) => statusName(status),
    isSecondary: true,
  },
  {
    id: 'count',
    label: t('operations.alerts.count'),
    cell: ({ count }) => count,
    align: 'end',
    isSecondary: true,
  },
  {
    id: 'lastSeen',
    label: t('operations.alerts.lastSeen'),
    cell: ({ last_seen_at: at }) => <Moment at={at} />,
    isSecondary: true,
  },
]

const filters = (): readonly ResourceFilter[] => [
  {
    name: 'status',
    label: t('operations.alerts.status'),
    kind: 'choice',
    options: statuses.map((value) => ({ value, label: statusName(value) })),
  },
  {
    name: 'severity',
    label: t('operations.alerts.severity'),
    kind: 'choice',
    options: (Object.keys(severities) as Alert['severity'][]).map((value) => ({
      value,
      label: severityName(value),
    })),
  },
]

function actionsOf({ id, status }: Alert): readonly RowAction[] {
  const acknowledge: RowAction = {
    id: 'acknowledge',
    label: t('operations.alerts.acknowledge'),
    icon: 'eye',
    done: t('operations.alerts.acknowledged'),
    run: () => api.send('POST', `${path}/${id}/acknowledge`),
  }
  const resolve: RowAction = {
    id: 'resolve',
    label: t('operations.alerts.resolve'),
    icon: 'check',
    done: t('operations.alerts.resolved'),
    run: () => api.send('POST', `${path}/${id}/resolve`),
  }
  if (status === 'resolved') return []
  return status === 'open' ? [acknowledge, resolve] : [resolve]
}

function AlertDetail({ alert }: { readonly alert: Alert }) {
  return (
    <>
      <Facts
        facts={[
          [t('operations.alerts.severity'), severityName(alert.severity)],
          [t('operations.alerts.status'), statusName(alert.status)],
          [t('operations.alerts.kind'), <code key="kind">{alert.kind}</code>],
          [t('operations.alerts.count'), alert.count],
          [t('operations.alerts.firstSeen'), <Moment key="first" at={alert.first_seen_at} />],
          [t('operations.alerts.lastSeen'), <Moment key="last" at={alert.last_seen_at} />],
        ]}
      />
      <Data label={t('operations.alerts.details')} value={alert.details} />
    </>
  )
}
