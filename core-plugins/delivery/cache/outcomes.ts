import type { MetricSource } from '../../foundation/metrics/metrics.ts'

/**
 * What became of a request: `hit`: answered from memory; `unchanged`: the caller has the answer, and its body was not
 * needed; `unvalidated`: answered from memory while the database did not answer; `outdated`: the kept answer was wrong by now; of an answer that
 * was made, `kept`, or why it was not: `new`: asked for the first time; `large`: too large; `opaque`: it depends on what no
 * change tells of; `overtaken`: something changed meanwhile; `untimed`: not known how long it is right; `failed`: it is no
 * answer that can be kept.
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

/** Counts what became of requests since the start. */
export class Outcomes {
  readonly counts = new Map<Outcome, number>(names.map((name) => [name, 0]))

  count(outcome: Outcome): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
  }
}

/** For Prometheus. */
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
