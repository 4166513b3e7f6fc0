import type { RequestObserver, UnavailableReason } from '../http/http.ts'
import type { MetricSource } from './metrics.ts'

/** Counts 503 answers by their reason. */
export function createUnavailableCounts(): {
  readonly observe: RequestObserver
  readonly source: MetricSource
} {
  const counts = new Map<UnavailableReason, number>()
  return {
    observe({ status, reason = 'unspecified' }) {
      if (status === 503) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    },
    source: {
      name: 'mortise_unavailable_answers',
      help: 'Answers with status 503 since the start, by reason',
      labelNames: ['reason'],
      scope: 'process',
      read: () => [...counts].map(([reason, value]) => ({ labels: { reason }, value })),
    },
  }
}
