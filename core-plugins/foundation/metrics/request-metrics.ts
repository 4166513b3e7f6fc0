import type { AnsweredRequest, RequestObserver } from '../http/http.ts'
import { bucketOf, durationBuckets } from './duration-buckets.ts'

/** A histogram as prom-client exports it, and aggregates it over processes. */
export interface HistogramValues {
  readonly name: string
  readonly help: string
  readonly type: 'histogram'
  readonly aggregator: 'sum'
  readonly values: readonly HistogramValue[]
}

interface HistogramValue {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** The durations of requests, by route, method and status. */
export interface RequestMetrics {
  readonly observe: RequestObserver
  /** The counts since the start. */
  read(): HistogramValues
}

/** Requests of one route with the same method and status. */
interface Series {
  readonly method: string
  readonly status: number
  /** Counts by duration bucket. */
  readonly counts: number[]
  totalSeconds: number
}

const name = 'mortise_http_request_duration_seconds'

/** Clients can send any method; unknown ones share a label, so that the number of labels stays bounded. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Counts requests and measures how long they took. Hand-written, because prom-client builds, checks and hashes
 * the labels of each observation, which takes longer than most stages of a request.
 */
export function createRequestMetrics(): RequestMetrics {
  const byRoute = new Map<string, Series[]>()

  return {
    observe(request) {
      const route = request.route?.name ?? request.fallback ?? 'none'
      const known = byRoute.get(route) ?? []
      if (known.length === 0) byRoute.set(route, known)
      const series = seriesOf(request, known)
      const seconds = request.durationMs / 1000
      const bucket = bucketOf(seconds)
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.totalSeconds += seconds
    },
    read: () => ({
      name,
      help: 'Time from the head of a request to its answer, by route',
      type: 'histogram',
      aggregator: 'sum',
      values: [...byRoute].flatMap(([route, known]) => known.flatMap((series) => valuesOf(route, series))),
    }),
  }
}

/** Each route has few series, so a linear search suffices. */
function seriesOf({ method: sent, status }: AnsweredRequest, known: Series[]): Series {
  const method = methods.has(sent) ? sent : 'other'
  for (const series of known) if (series.status === status && series.method === method) return series
  const series: Series = { method, status, counts: durationBuckets.map(() => 0).concat(0), totalSeconds: 0 }
  known.push(series)
  return series
}

/** Buckets are cumulative, as Prometheus expects. */
function valuesOf(route: string, { method, status, counts, totalSeconds }: Series): HistogramValue[] {
  const labels = { route, method, status: String(status) }
  let count = 0
  const buckets = counts.map((own, bucket) => {
    count += own
    return {
      metricName: `${name}_bucket`,
      labels: { le: durationBuckets[bucket] ?? '+Inf', ...labels },
      value: count,
    }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: totalSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
