import type { Histogram, Registry } from 'prom-client'
import type { RequestObserver } from '../http/http.ts'

type Observe = (seconds: number) => void

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

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
    buckets,
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
