import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import { defineRoute, type Route } from '../http/http.ts'
import type { Minute } from './history.ts'
import type { MetricSource } from './metrics.ts'
import { summarize, summarySchema } from './summary.ts'

type Metric = MetricObjectWithValues<MetricValue<string>>

export interface SummaryRouteParts {
  readonly scope: string
  /** The minutes of all processes that share the port. */
  readonly minutes: () => Promise<readonly (readonly Minute[])[]>
  /** The aggregated metrics of all processes. */
  readonly metrics: () => Promise<readonly Metric[]>
  readonly sources: () => readonly MetricSource[]
}

/** A metric may have a sample for each kind of job; metrics with more samples than this are left to Prometheus. */
const maxSamples = 200

/** The most important figures for an operator, for the panel; monitoring uses `/metrics`. */
export function summaryRoute({ scope, minutes, metrics, sources }: SummaryRouteParts): Route {
  return defineRoute({
    name: 'admin:metrics.summary',
    tag: 'Metrics',
    method: 'GET',
    path: '/admin/metrics/summary',
    summary: 'The last hour of the processes that share the port, and the gauges as they are now',
    access: 'area',
    scope,
    response: summarySchema,
    async handler() {
      const [processes, measured] = await Promise.all([minutes(), metrics()])
      const names = new Set(sources().map(({ name }) => name))
      return {
        processes: processes.length,
        minutes: summarize(processes, Date.now()),
        gauges: measured.filter(({ name }) => names.has(name)).map(presentGauge),
      }
    },
  })
}

const presentGauge = ({ name, help, values }: Metric) => ({
  name,
  help,
  samples: values.slice(0, maxSamples).map(({ labels, value }) => ({ labels: textsOf(labels), value })),
})

const textsOf = (labels: Readonly<Record<string, string | number | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value ?? '')]))
