import { quantile } from './duration-buckets.ts'
import { keptMinutes, type Minute, minuteMs } from './history.ts'

/** A minute of all processes together. */
export interface SummaryMinute {
  readonly at: string
  readonly requests: number
  readonly refused: number
  readonly failed: number
  /** Null without requests. */
  readonly meanMs: number | null
  readonly p95Ms: number | null
  /** Null for minutes in which no process was sampled. */
  readonly memoryBytes: number | null
  /** Of the busiest process. */
  readonly busy: number | null
}

/** The last hour without gaps, the newest minute last. */
export function summarize(processes: readonly (readonly Minute[])[], now: number): SummaryMinute[] {
  const last = Math.floor(now / minuteMs) * minuteMs
  const all = processes.flat()
  return Array.from({ length: keptMinutes }, (_, index) => {
    const at = last - (keptMinutes - 1 - index) * minuteMs
    return merge(
      at,
      all.filter((minute) => minute.at === at),
    )
  })
}

function merge(at: number, minutes: readonly Minute[]): SummaryMinute {
  const sum = (value: (minute: Minute) => number) =>
    minutes.reduce((total, minute) => total + value(minute), 0)
  const requests = sum((minute) => minute.requests)
  const sampled = minutes.filter(({ memoryBytes }) => memoryBytes > 0)
  const p95 = quantile(durationsOf(minutes), 0.95)
  return {
    at: new Date(at).toISOString(),
    requests,
    refused: sum(({ refused }) => refused),
    failed: sum(({ failed }) => failed),
    meanMs: requests === 0 ? null : (sum(({ totalSeconds }) => totalSeconds) / requests) * 1000,
    p95Ms: p95 === null ? null : p95 * 1000,
    memoryBytes: sampled.length === 0 ? null : sum(({ memoryBytes }) => memoryBytes),
    busy: sampled.length === 0 ? null : Math.max(...sampled.map(({ busy }) => busy)),
  }
}

const durationsOf = (minutes: readonly Minute[]): number[] =>
  minutes.reduce<number[]>(
    (counts, { durations }) => durations.map((count, index) => count + (counts[index] ?? 0)),
    [],
  )
