import type { Schedule } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { Moment } from '../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn, RowAction } from '../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../ground/kit/resource-list/resource-list.tsx'
import { schedulesResource } from './schedule.ts'
import { ScheduleDetail } from './schedule-detail.tsx'

/** The scheduled jobs. */
export default function SchedulesScreen() {
  const mayWrite = useAccess().mayArea('jobs', 'write')
  return (
    <Page title={t('operations.schedules.title')}>
      <ResourceList<Schedule>
        label={t('operations.schedules.title')}
        resource={schedulesResource}
        columns={columns()}
        nameOf={({ name }) => name}
        detailOf={(schedule) => <ScheduleDetail key={schedule.id} schedule={schedule} mayWrite={mayWrite} />}
        empty={{ icon: 'calendar-clock', title: t('operations.schedules.empty') }}
        {...(mayWrite ? { actionsOf } : {})}
      />
    </Page>
  )
}

const columns = (): readonly ResourceColumn<Schedule>[] => [
  { id: 'name', label: t('operations.schedules.name'), cell: ({ name }) => name },
  {
    id: 'when',
    label: t('operations.schedules.when'),
    cell: ({ cronExpression }) => <code>{cronExpression}</code>,
    isSecondary: true,
  },
  {
    id: 'state',
    label: t('operations.schedules.state'),
    cell: ({ enabled }) =>
      enabled ? (
        <Badge tone="success">{t('operations.schedules.on')}</Badge>
      ) : (
        <Badge tone="warning">{t('operations.schedules.paused')}</Badge>
      ),
  },
  {
    id: 'lastRun',
    label: t('operations.schedules.lastRun'),
    cell: ({ lastRunAt }) => <Moment at={lastRunAt} />,
    isSecondary: true,
  },
  {
    id: 'lastStatus',
    label: t('operations.schedules.lastStatus'),
    cell: ({ lastStatus }) => lastStatus,
    isSecondary: true,
  },
  {
    id: 'nextRun',
    label: t('operations.schedules.nextRun'),
    cell: ({ nextRunAt }) => <Moment at={nextRunAt} />,
    isSecondary: true,
  },
]

function actionsOf({ id, enabled }: Schedule): readonly RowAction[] {
  const { path } = schedulesResource
  return [
    {
      id: 'run',
      label: t('operations.schedules.run'),
      icon: 'play',
      done: t('operations.schedules.started'),
      async run() {
        await api.send('POST', `${path}/${id}/run`)
        await queryClient.invalidateQueries({ queryKey: ['jobs'] })
      },
    },
    {
      id: 'switch',
      label: enabled ? t('operations.schedules.pause') : t('operations.schedules.resume'),
      icon: enabled ? 'pause' : 'power',
      done: t('operations.schedules.changed'),
      run: () => api.send('PUT', `${path}/${id}`, { body: { enabled: !enabled } }),
    },
  ]
}
