import type { MetricSource } from '../../foundation/metrics/metrics.ts'

/**
 * The outcome of a request. `hit`: answered from the cache; `unchanged`: the caller has the body already; `unvalidated`:
 * answered from the cache while the database was not available; `outdated`: the cached response was no longer valid. For a
 * response that was made, `kept`, or why it was not cached: `new`: requested for the first time; `large`: too large; `opaque`:
 * depends on something whose changes are not logged; `overtaken`: a change happened meanwhile; `untimed`: the end of its
 * validity is unknown; `failed`: not a cacheable response.
 */
export type Outcome =
  | 'hit'
  | 'unchanged'
  | 'unvalidated'
  | 'outdated'
  | 'kept'
  | 'new'
  | 'large'
  | 'opaque'
  | 'overtaken'
  | 'untimed'
  | 'failed'

const names: readonly Outcome[] = [
  'hit',
  'unchanged',
  'unvalidated',
  'outdated',
  'kept',
  'new',
  'large',
  'opaque',
  'overtaken',
  'untimed',
  'failed',
]

/** Counts the outcomes of requests since the start. */
export class Outcomes {
  readonly counts = new Map<Outcome, number>(names.map((name) => [name, 0]))

  count(outcome: Outcome): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
  }
}

/** The counts as metrics for Prometheus. */
export function cacheMetrics(
  outcomes: Outcomes,
  answers: { readonly count: number; readonly bytes: number },
): readonly MetricSource[] {
  return [
    {
      name: 'mortise_cache_requests_total',
      help: 'Requests that could be answered from memory, by what became of them',
      labelNames: ['outcome'],
      scope: 'process',
      read: () => [...outcomes.counts].map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      name: 'mortise_cache_bytes',
      help: 'Memory of the kept answers',
      scope: 'process',
      read: () => [{ value: answers.bytes }],
    },
    {
      name: 'mortise_cache_answers',
      help: 'Kept answers',
      scope: 'process',
      read: () => [{ value: answers.count }],
    },
  ]
}
