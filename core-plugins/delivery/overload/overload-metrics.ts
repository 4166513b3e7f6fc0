import type { MetricSource } from '../../foundation/metrics/metrics.ts'
import type { Shedder } from './shedder.ts'

/** The present pressure, and the number of refused requests. */
export const overloadMetrics = (shedder: Shedder): readonly MetricSource[] => [
  {
    name: 'mortise_overload_pressure',
    help: 'Summed over the processes: 0 refuses nothing, 1 dear anonymous reads, 2 all anonymous requests',
    scope: 'process',
    read: () => [{ value: shedder.pressure }],
  },
  {
    name: 'mortise_overload_refused_requests',
    help: 'Requests refused since the start, by class and reason',
    labelNames: ['class', 'reason'],
    scope: 'process',
    read: () => shedder.counts().map(({ count, ...labels }) => ({ labels: { ...labels }, value: count })),
  },
]
