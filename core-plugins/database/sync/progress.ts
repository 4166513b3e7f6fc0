import { type Log, silentLog } from '../../../kernel/index.ts'
import { describeStep, type Step, safely } from './step.ts'

/** Who hears of a sync while it is at work. */
export interface SyncObserver {
  readonly log: Log
  /** The sync goes on, however long it takes. */
  reportProgress(): void
}

/** For those who wait for the result only. */
export const unobserved: SyncObserver = { log: silentLog, reportProgress: () => undefined }

/** Is told by a sync how far it is. */
export interface SyncProgress {
  began(step: Step): void
  wroteRows(count: number): void
}

const intervalMs = 10_000

/**
 * Tells `observer` every few seconds that `work` goes on, also while one statement is at the database: how long that
 * takes is a matter of how many rows there are.
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
    if (step === undefined) log.info({ seconds }, 'waits for its turn to change the schema')
    else log.info({ ...doing(step), rows, seconds }, 'goes on changing the schema')
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
