import type { MetricsMinute } from '../../../../../../client/admin.ts'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'
import { BarChart } from './bar-chart.tsx'
import classes from './metrics.module.css'
import { bytes, milliseconds, percent } from './units.ts'

/** The last hour as small charts. */
export function Charts({ minutes }: { readonly minutes: readonly MetricsMinute[] }) {
  const number = (value: number | null) => (value ?? 0).toLocaleString(writtenLocale())
  const chart = (label: string, read: (minute: MetricsMinute) => number | null, isBad = false) => ({
    label,
    isBad,
    bars: minutes.map((minute) => ({ at: minute.at, value: read(minute) })),
  })
  return (
    <div className={classes.charts}>
      <BarChart {...chart(t('operations.metrics.requests'), ({ requests }) => requests)} textOf={number} />
      <BarChart
        {...chart(t('operations.metrics.failedRequests'), ({ failed }) => failed, true)}
        textOf={number}
      />
      <BarChart {...chart(t('operations.metrics.p95'), ({ p95Ms }) => p95Ms)} textOf={milliseconds} />
      <BarChart {...chart(t('operations.metrics.busy'), ({ busy }) => busy)} textOf={percent} atLeast={1} />
      <BarChart {...chart(t('operations.metrics.memory'), ({ memoryBytes }) => memoryBytes)} textOf={bytes} />
    </div>
  )
}
