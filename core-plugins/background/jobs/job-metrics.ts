import type { MetricSource } from '../../foundation/metrics/metrics.ts'
import type { Jobs } from './jobs.ts'

/** Metrics of the queue: how much is in it, and whether it keeps up. */
export function jobMetrics(jobs: Jobs): MetricSource[] {
  return [
    {
      name: 'mortise_jobs',
      help: 'Jobs in the database by kind and status, of all processes; finished ones until they are removed',
      scope: 'service',
      labelNames: ['kind', 'status'],
      async read() {
        const { byName } = await jobs.stats()
        return Object.entries(byName).flatMap(([kind, counts]) =>
          Object.entries(counts).map(([status, value]) => ({ labels: { kind, status }, value })),
        )
      },
    },
    {
      name: 'mortise_jobs_lag_seconds',
      help: 'How long the oldest job that is due has been waiting',
      scope: 'service',
      read: async () => [{ value: (await jobs.stats()).lagMs / 1000 }],
    },
  ]
}
