import { useMutation, useQuery } from '@tanstack/react-query'
import type { Alert } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { Button } from '../../ground/kit/button/button.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import classes from '../../shell/home/home.module.css'
import { Widget } from '../../shell/home/widget.tsx'
import type { PanelPart } from '../../shell/panel-part.ts'

const tones = { info: 'info', warning: 'warning', critical: 'danger' } as const

export const alerts: PanelPart = {
  homeTiles: [{ id: 'alerts', mayShow: ({ mayArea }) => mayArea('alerts'), component: OpenAlerts }],
}

/** A home page tile with the open alerts. */
function OpenAlerts() {
  const mayResolve = useAccess().mayArea('alerts', 'write')
  const { data, error } = useQuery({
    queryKey: ['alerts', 'open'],
    queryFn: ({ signal }) =>
      api.send<Alert[]>('GET', '/admin/operational-alerts?status=open&limit=5', { signal }),
  })
  return (
    <Widget title={t('home.alerts')} icon="triangle-alert">
      {error !== null && <p>{errorText(error)}</p>}
      {data === undefined && error === null && <Skeleton />}
      {data?.length === 0 && <p className={classes.quiet}>{t('home.noAlerts')}</p>}
      {data !== undefined && data.length > 0 && <List alerts={data} mayResolve={mayResolve} />}
    </Widget>
  )
}

interface ListProps {
  readonly alerts: readonly Alert[]
  readonly mayResolve: boolean
}

function List({ alerts, mayResolve }: ListProps) {
  const resolution = useMutation({
    mutationFn: (id: number) => api.send('POST', `/admin/operational-alerts/${id}/resolve`),
    onSuccess: () => toast('success', t('home.resolved')),
    onError: (error) => toast('danger', errorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['alerts'] }),
  })
  return (
    <ul className={classes.list}>
      {alerts.map(({ id, severity, message, last_seen_at: at }) => (
        <li key={id} className={classes.alert}>
          <div className={classes.alertText}>
            <Badge tone={tones[severity]}>{t(`home.severity.${severity}`)}</Badge>
            {mayResolve && (
              <Button
                size="s"
                look="plain"
                aria-label={t('home.resolveAlert', { message })}
                isPending={resolution.isPending && resolution.variables === id}
                onPress={() => resolution.mutate(id)}
              >
                {t('home.resolve')}
              </Button>
            )}
          </div>
          <span>{message}</span>
          <time className={classes.quiet} dateTime={at}>
            {momentText(at)}
          </time>
        </li>
      ))}
    </ul>
  )
}
