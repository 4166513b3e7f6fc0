import { useQuery } from '@tanstack/react-query'
import type { MetricsSummary } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { apiPrefix } from '../../ground/session/api-prefix.ts'
import { Charts } from './charts.tsx'
import { Gauges } from './gauges.tsx'
import classes from './metrics.module.css'
import { MinuteTable } from './minute-table.tsx'
import { Tiles } from './tiles.tsx'

const refreshMs = 10_000

/** The main metrics for operators on one page. */
export default function MetricsScreen() {
  const { data, error } = useQuery({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => admin.metrics({ signal }),
    refetchInterval: refreshMs,
  })
  return (
    <Page title={t('operations.metrics.title')}>
      {data === undefined && error !== null && (
        <EmptyState icon="triangle-alert" title={t('operations.metrics.failed')}>
          {errorText(error)}
        </EmptyState>
      )}
      {data === undefined && error === null && <Skeleton lines={10} />}
      {data !== undefined && <Shown summary={data} />}
    </Page>
  )
}

function Shown({ summary }: { readonly summary: MetricsSummary }) {
  return (
    <>
      <section className={classes.part} aria-label={t('operations.metrics.now')}>
        <Tiles summary={summary} />
      </section>
      <section className={classes.part} aria-label={t('operations.metrics.lastHour')}>
        <h2>{t('operations.metrics.lastHour')}</h2>
        <Charts minutes={summary.minutes} />
        <details>
          <summary className={classes.summary}>{t('operations.metrics.asTable')}</summary>
          <MinuteTable minutes={summary.minutes} />
        </details>
      </section>
      <details>
        <summary className={classes.summary}>{t('operations.metrics.allGauges')}</summary>
        <Gauges gauges={summary.gauges} />
      </details>
      <p className={classes.note}>{t('operations.metrics.note', { path: `${apiPrefix}/metrics` })}</p>
    </>
  )
}
