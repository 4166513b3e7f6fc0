import type { Job } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge, type BadgeProps } from '../../ground/kit/badge/badge.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { Moment } from '../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn, ResourceFilter, RowAction } from '../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../ground/kit/resource-list/resource-list.tsx'
import { JobDetail } from './job-detail.tsx'

const path = '/admin/jobs'
const resource = { key: 'jobs', path, hasItems: true, refreshMs: 5_000 }

const tones: Readonly<Record<Job['status'], NonNullable<BadgeProps['tone']>>> = {
  waiting: 'neutral',
  delayed: 'neutral',
  active: 'info',
  completed: 'success',
  failed: 'danger',
  cancelled: 'warning',
}
const statuses = Object.keys(tones) as Job['status'][]

/** The background jobs of the service. */
export default function JobsScreen() {
  const mayWrite = useAccess().mayArea('jobs', 'write')
  return (
    <Page title={t('operations.jobs.title')}>
      <ResourceList<Job>
        label={t('operations.jobs.title')}
        resource={resource}
        columns={columns()}
        filters={filters()}
        nameOf={({ name, id }) => `${name} ${id}`}
        detailOf={(job) => <JobDetail job={job} />}
        empty={{
          icon: 'list-checks',
          title: t('operations.jobs.empty'),
          text: t('operations.jobs.emptyText'),
        }}
        {...(mayWrite ? { actionsOf } : {})}
      />
    </Page>
  )
}

const columns = (): readonly ResourceColumn<Job>[] => [
  { id: 'name', label: t('operations.jobs.name'), cell: ({ name }) => name },
  {
    id: 'status',
    label: t('operations.jobs.status'),
    cell: ({ status }) => <Badge tone={tones[status]}>{t(`operations.jobs.statuses.${status}`)}</Badge>,
  },
  {
    id: 'progress',
    label: t('operations.jobs.progress'),
    cell: ({ status, progress }) =>
      status === 'active' ? t('operations.jobs.percent', { percent: progress }) : '',
    align: 'end',
    isSecondary: true,
  },
  {
    id: 'attempts',
    label: t('operations.jobs.attempts'),
    cell: ({ attempts, maxAttempts: most }) => t('operations.jobs.ofAttempts', { attempts, most }),
    align: 'end',
    isSecondary: true,
  },
  {
    id: 'runAt',
    label: t('operations.jobs.runAt'),
    cell: ({ run_at: at }) => <Moment at={at} />,
    isSecondary: true,
  },
  {
    id: 'finished',
    label: t('operations.jobs.finished'),
    cell: ({ finished_at: at }) => <Moment at={at} />,
    isSecondary: true,
  },
]

const filters = (): readonly ResourceFilter[] => [
  {
    name: 'status',
    label: t('operations.jobs.status'),
    kind: 'choice',
    options: statuses.map((value) => ({ value, label: t(`operations.jobs.statuses.${value}`) })),
  },
  { name: 'name', label: t('operations.jobs.name'), kind: 'text', placeholder: 'webhooks.deliver' },
]

function actionsOf({ id, name, status }: Job): readonly RowAction[] {
  if (status === 'completed') return []
  if (status === 'failed' || status === 'cancelled') {
    return [
      {
        id: 'retry',
        label: t('operations.jobs.retry'),
        icon: 'rotate-ccw',
        done: t('operations.jobs.retried'),
        run: () => api.send('POST', `${path}/${id}/retry`),
      },
    ]
  }
  return [
    {
      id: 'cancel',
      label: t('operations.jobs.cancel'),
      icon: 'ban',
      isDangerous: true,
      confirm: {
        title: t('operations.jobs.cancelTitle', { name }),
        text: t('operations.jobs.cancelText'),
        action: t('operations.jobs.cancel'),
      },
      done: t('operations.jobs.cancelled'),
      run: () => api.send('POST', `${path}/${id}/cancel`),
    },
  ]
}
