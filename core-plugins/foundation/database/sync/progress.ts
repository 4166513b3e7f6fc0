import { type Log, silentLog } from '../../../../kernel/index.ts'
import { describeStep, type Step, safely } from './step.ts'

/** The log and callback of a running sync. */
export interface SyncObserver {
  readonly log: Log
  /** Called repeatedly while the sync is still running. */
  reportProgress(): void
}

/** For callers that only wait for the result. */
export const unobserved: SyncObserver = { log: silentLog, reportProgress: () => undefined }

/** Called by a sync to report its progress. */
export interface SyncProgress {
  began(step: Step): void
  wroteRows(count: number): void
}

const intervalMs = 10_000

/**
 * Reports to `observer` every few seconds that `work` is still running, even during a single statement, whose
 * duration depends on the number of rows.
 */
export async function withProgress<T>(
  { log, reportProgress }: SyncObserver,
  work: (progress: SyncProgress) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now()
  let step: Step | undefined
  let rows = 0
  const timer = setInterval(() => {
    reportProgress()
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    if (step === undefined) log.info({ seconds }, 'waiting for its turn to change the schema')
    else log.info({ ...doing(step), rows, seconds }, 'still changing the schema')
  }, intervalMs)
  try {
    return await work({
      began(begun) {
        reportProgress()
        step = begun
        rows = 0
      },
      wroteRows(count) {
        reportProgress()
        rows += count
      },
    })
  } finally {
    clearInterval(timer)
  }
}

function doing(step: Step) {
  const { change, table, column } = describeStep(safely(step))
  return { change, table, column }
}
