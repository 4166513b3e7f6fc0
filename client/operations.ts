/** A minute of the processes that share a port. */
export interface MetricsMinute {
  readonly at: string
  readonly requests: number
  /** Answered with 4xx. */
  readonly refused: number
  /** Answered with 5xx. */
  readonly failed: number
  /** Null without requests. */
  readonly meanMs: number | null
  /** Estimated. */
  readonly p95Ms: number | null
  readonly memoryBytes: number | null
  /** The part of the time that the busiest event loop worked, 0 to 1. */
  readonly busy: number | null
}

/** A metric with its values, as they are now. */
export interface MetricsGauge {
  readonly name: string
  readonly help: string
  readonly samples: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}

/** What an operator looks at first. */
export interface MetricsSummary {
  /** How many share the port. */
  readonly processes: number
  /** The last hour, the newest minute last. */
  readonly minutes: readonly MetricsMinute[]
  readonly gauges: readonly MetricsGauge[]
}

/** What the service runs on. */
export interface Versions {
  readonly mortise: string
  readonly node: string
  /** Null where `node:http` serves. */
  readonly nativeServer: string | null
  /** Why the native server is not in use, and what to do; null if it is, or if the settings choose another one. */
  readonly problem: string | null
}
