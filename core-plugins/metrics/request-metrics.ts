import type { Histogram, Registry } from 'prom-client'
import type { RequestObserver } from '../http/http.ts'
import { durationBuckets } from './duration-buckets.ts'

type Observe = (seconds: number) => void

/** Clients can send any method; unknown ones share a label, so that their number stays bounded. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts requests by route, method and status, and measures how long they took. */
export function createRequestMetrics(
  registry: Registry,
  HistogramOfRequests: typeof Histogram,
): RequestObserver {
  const histogram = new HistogramOfRequests({
    name: 'mortise_http_request_duration_seconds',
    help: 'Time from the head of a request to its answer, by route',
    labelNames: ['route', 'method', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  })
  // Looking up a label set costs more than everything else, so each is cached.
  const known = new Map<string, Observe>()

  return ({ route, fallback, method, status, durationMs }) => {
    const name = route?.name ?? fallback ?? 'none'
    const key = `${name} ${method} ${status}`
    let observe = known.get(key)
    if (observe === undefined) {
      const child = histogram.labels({
        route: name,
        method: methods.has(method) ? method : 'other',
        status: String(status),
      })
      observe = (seconds) => child.observe(seconds)
      if (methods.has(method)) known.set(key, observe)
    }
    observe(durationMs / 1000)
  }
}
