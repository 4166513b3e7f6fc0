import { type ExtensionPoint, extensionPoint } from '../../kernel/index.ts'

/** One value, with what tells it from the others of its metric: `{ status: 'failed' }`. */
export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A value that is looked up whenever somebody asks for the metrics. */
export interface MetricSource {
  /** snake_case with the unit at the end, as Prometheus wants it: `mortise_jobs_lag_seconds`. */
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  /** Whether it is one value of the whole service, or each process has its own and they are added up. */
  readonly scope: 'service' | 'process'
  /** Must be quick. What it throws leaves the metric out of the answer. */
  read(): readonly MetricSample[] | Promise<readonly MetricSample[]>
}

/** Gauges of all plugins; contribute in `register` or `init`. */
export const metricSources: ExtensionPoint<MetricSource> = extensionPoint('metricSources')
