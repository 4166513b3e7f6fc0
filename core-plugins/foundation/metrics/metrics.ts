import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/** One value with the labels that distinguish it within its metric: `{ status: 'failed' }`. */
export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A value that is read when the metrics are requested. */
export interface MetricSource {
  /** snake_case with the unit at the end, as Prometheus expects: `mortise_jobs_lag_seconds`. */
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  /** Whether it is one value of the whole service, or a value per process to be summed up. */
  readonly scope: 'service' | 'process'
  /** Must be quick. If it fails, the metric is left out of the answer. */
  read(): readonly MetricSample[] | Promise<readonly MetricSample[]>
}

/** Gauges of all plugins; contribute in `register` or `init`. */
export const metricSources: ExtensionPoint<MetricSource> = extensionPoint('metricSources')
