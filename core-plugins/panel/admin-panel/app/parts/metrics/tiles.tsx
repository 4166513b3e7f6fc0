import type { MetricsGauge, MetricsSummary } from '../../../../../../client/admin.ts'
import { formatBytes } from '../../ground/i18n/bytes-text.ts'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'
import classes from './metrics.module.css'
import { milliseconds } from './units.ts'

/** The most important numbers for seeing whether something is wrong. */
export function Tiles({ summary }: { readonly summary: MetricsSummary }) {
  return (
    <dl className={classes.tiles}>
      {tilesOf(summary).map(([label, value]) => (
        <div key={label} className={classes.tile}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The tiles; those of disabled plugins are left out. */
function tilesOf({ minutes, gauges, processes }: MetricsSummary): readonly (readonly [string, string])[] {
  // The last minute is incomplete.
  const whole = minutes.at(-2)
  const number = (value: number) => value.toLocaleString(writtenLocale())
  const sumOf = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    sum(
      gauges.find((gauge) => gauge.name === name),
      labels,
    )
  const queue = sumOf('mortise_jobs', { status: 'waiting' })
  const lag = sumOf('mortise_jobs_lag_seconds')
  const free = sumOf('mortise_storage_free_bytes')
  const waiting = sumOf('mortise_database_connections', { state: 'waiting' })
  const dead = sumOf('mortise_webhook_deliveries', { status: 'dead' })
  const failed = minutes.reduce((all, minute) => all + minute.failed, 0)
  return [
    [t('operations.metrics.requestsPerMinute'), number(whole?.requests ?? 0)],
    [t('operations.metrics.errors'), number(failed)],
    [t('operations.metrics.p95'), milliseconds(whole?.p95Ms ?? null)],
    ...tile(t('operations.metrics.queue'), queue, number),
    ...tile(t('operations.metrics.lag'), lag, (value) =>
      t('operations.metrics.seconds', { seconds: number(Math.round(value)) }),
    ),
    ...tile(t('operations.metrics.storage'), free, formatBytes),
    ...tile(t('operations.metrics.waiting'), waiting, number),
    ...tile(t('operations.metrics.dead'), dead, number),
    [t('operations.metrics.processes'), number(processes)],
  ]
}

const tile = (label: string, value: number | undefined, text: (value: number) => string) =>
  value === undefined ? [] : [[label, text(value)] as const]

/** The sum of the samples with these labels; undefined if the metric is not measured. */
function sum(gauge: MetricsGauge | undefined, labels: Readonly<Record<string, string>>): number | undefined {
  return gauge?.samples
    .filter((sample) => Object.entries(labels).every(([name, value]) => sample.labels[name] === value))
    .reduce((total, { value }) => total + value, 0)
}
