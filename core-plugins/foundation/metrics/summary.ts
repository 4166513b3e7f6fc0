import { type Static, Type } from 'typebox'
import { orNull, strict, timestampSchema } from '../http/http.ts'
import { quantile } from './duration-buckets.ts'
import { keptMinutes, type Minute, minuteMs } from './history.ts'

const minuteSchema = Type.Object(
  {
    at: timestampSchema,
    requests: Type.Integer(),
    refused: Type.Integer({ description: 'Answered with 4xx' }),
    failed: Type.Integer({ description: 'Answered with 5xx' }),
    // Null if there were no requests.
    meanMs: orNull(Type.Number()),
    p95Ms: orNull(Type.Number({ description: 'Estimated' })),
    // Null for minutes in which no process was sampled.
    memoryBytes: orNull(Type.Number()),
    busy: orNull(Type.Number({ description: 'Part of the time that the busiest event loop worked, 0 to 1' })),
  },
  strict,
)

/** The most important figures for an operator. */
export const summarySchema = Type.Object(
  {
    processes: Type.Integer({ description: 'How many share the port' }),
    minutes: Type.Array(minuteSchema, { description: 'The last hour, the newest minute last' }),
    gauges: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          help: Type.String(),
          samples: Type.Array(
            Type.Object({ labels: Type.Record(Type.String(), Type.String()), value: Type.Number() }, strict),
          ),
        },
        strict,
      ),
      { description: 'Those of the service and its plugins, as they are now' },
    ),
  },
  strict,
)

/** One minute, over all processes. */
export type SummaryMinute = Static<typeof minuteSchema>

/** The last hour without gaps, newest minute last. */
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
