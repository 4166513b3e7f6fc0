import type { AnsweredRequest } from '../http/http.ts'
import { bucketOf, durationBuckets } from './duration-buckets.ts'

export const minuteMs = 60_000

/** How many minutes a process keeps. */
export const keptMinutes = 60

/** The requests and resource use of one process within a minute. */
export interface Minute {
  /** The beginning of the minute, in milliseconds since 1970. */
  readonly at: number
  requests: number
  /** Answered with 4xx. */
  refused: number
  /** Answered with 5xx. */
  failed: number
  totalSeconds: number
  /** Counts by duration bucket. */
  readonly durations: number[]
  memoryBytes: number
  /** The share of time that the event loop was busy, 0 to 1. */
  busy: number
}

/** The current resource use of a process. */
export interface Usage {
  readonly memoryBytes: number
  /** Since the previous call. */
  readonly busy: number
}

export interface HistoryOptions {
  readonly now: () => number
  readonly usage: () => Usage
}

/** The last hour of this process by minutes, in memory. Minutes without requests or samples are left out. */
export interface History {
  observe(request: Pick<AnsweredRequest, 'status' | 'durationMs'>): void
  /** Records the current resource use; called at least once a minute. */
  sample(): void
  minutes(): readonly Minute[]
}

export function createHistory({ now, usage }: HistoryOptions): History {
  const minutes: Minute[] = []

  function current(): Minute {
    const at = Math.floor(now() / minuteMs) * minuteMs
    const last = minutes.at(-1)
    // If the clock was set back, the latest minute is continued.
    if (last !== undefined && last.at >= at) return last
    const next = emptyMinute(at)
    minutes.push(next)
    if (minutes.length > keptMinutes) minutes.shift()
    return next
  }

  return {
    observe({ status, durationMs }) {
      const minute = current()
      const seconds = durationMs / 1000
      const bucket = bucketOf(seconds)
      minute.requests += 1
      minute.totalSeconds += seconds
      minute.durations[bucket] = (minute.durations[bucket] ?? 0) + 1
      if (status >= 500) minute.failed += 1
      else if (status >= 400) minute.refused += 1
    },
    sample: () => void Object.assign(current(), usage()),
    minutes: () => minutes,
  }
}

function emptyMinute(at: number): Minute {
  const durations = Array.from({ length: durationBuckets.length + 1 }, () => 0)
  return { at, requests: 0, refused: 0, failed: 0, totalSeconds: 0, durations, memoryBytes: 0, busy: 0 }
}

/** Measures the Node.js process. */
export function createUsage(): () => Usage {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return { memoryBytes: process.memoryUsage.rss(), busy: utilization }
  }
}
