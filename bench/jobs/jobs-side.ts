import { setTimeout as sleep } from 'node:timers/promises'

export interface JobsLoad {
  readonly jobs: number
  /** The number of processes that run jobs. */
  readonly processes: number
  /** Concurrent jobs per process. */
  readonly concurrency: number
  /** How many callers create jobs at the same time, one job each. */
  readonly writers: number
}

export interface JobsRun {
  /** From the first job created to the last one. */
  readonly enqueueMs: number
  /** From the first job created to the last one finished. */
  readonly totalMs: number
}

/** One way to run jobs. */
export interface JobsSide {
  readonly title: string
  measure(load: JobsLoad): Promise<JobsRun>
}

/** Runs a task `count` times, `width` at a time. */
export async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) {
      const index = next
      next += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
}

/** Polls the condition every few milliseconds. */
export async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10)
}
