import type { AnsweredRequest } from '../http/http.ts'
import { bucketOf, durationBuckets } from './duration-buckets.ts'

export const minuteMs = 60_000

/** How many minutes a process remembers. */
export const keptMinutes = 60

/** What happened within a minute in one process. */
export interface Minute {
  /** When it began, in milliseconds since 1970. */
  readonly at: number
  requests: number
  /** Answered with 4xx. */
  refused: number
  /** Answered with 5xx. */
  failed: number
  totalSeconds: number
  /** By the bucket of their duration. */
  readonly durations: number[]
  memoryBytes: number
  /** The part of the time that the event loop was busy, 0 to 1. */
  busy: number
}

/** What a process uses at a moment. */
export interface Usage {
  readonly memoryBytes: number
  /** Since it was asked the last time. */
  readonly busy: number
}

export interface HistoryOptions {
  readonly now: () => number
  readonly usage: () => Usage
}

/** The last hour of this process by minutes, in memory. Minutes in which nothing was noticed are left out. */
export interface History {
  observe(request: Pick<AnsweredRequest, 'status' | 'durationMs'>): void
  /** Notes what the process uses; called once a minute at least. */
  sample(): void
  minutes(): readonly Minute[]
}

export function createHistory({ now, usage }: HistoryOptions): History {
  const minutes: Minute[] = []

  function current(): Minute {
    const at = Math.floor(now() / minuteMs) * minuteMs
    const last = minutes.at(-1)
    // A clock that was set back continues the minute it had come to.
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

/** Asks the Node.js process. */
export function createUsage(): () => Usage {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return { memoryBytes: process.memoryUsage.rss(), busy: utilization }
  }
}
