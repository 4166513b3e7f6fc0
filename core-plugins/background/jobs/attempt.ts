import type { Log } from '../../../kernel/index.ts'
import type { ClaimedJob } from './claims.ts'
import { type JobContext, type JobKind, UnretriableJobError } from './jobs.ts'
import type { Kinds } from './kinds.ts'
import type { Outcome } from './outcomes.ts'

/** Why a running job is asked to stop. */
export type StopReason = 'cancelled' | 'timeout' | 'leaseLost' | 'shutdown'

/** One running attempt of a job. */
export interface Attempt {
  readonly job: ClaimedJob
  /** The last reported progress, in per cent; undefined if none was reported since the last read. */
  takeProgress(): number | undefined
  stop(reason: StopReason): void
  /** The outcome; undefined if this runner no longer holds the job, so that nothing may be recorded. Never rejects. */
  readonly ended: Promise<Outcome | undefined>
}

/** How long an attempt that was asked to stop may take before it is abandoned. */
const stopGraceMs = 10_000
const defaultTimeoutMs = 3_600_000
const firstRetryMs = 1_000
const longestRetryMs = 600_000

/** Starts the kind's `run`. */
export function startAttempt(job: ClaimedJob, kind: JobKind, kinds: Kinds, log: Log): Attempt {
  const stopping = new AbortController()
  let reason: StopReason | undefined
  let progress: number | undefined
  let giveUp: (error: Error) => void = () => undefined

  function stop(why: StopReason) {
    if (reason !== undefined) return
    reason = why
    stopping.abort(new Error(`the job was stopped: ${why}`))
    setTimeout(() => giveUp(new Error(`did not stop within ${stopGraceMs} ms`)), stopGraceMs).unref()
  }

  const context: JobContext = {
    job,
    signal: stopping.signal,
    log: log.child({ job: job.id, kind: job.name }),
    reportProgress(percent) {
      progress = Math.round(Math.min(100, Math.max(0, percent)))
    },
  }

  async function run(): Promise<Outcome> {
    kinds.check(kind, job.payload)
    const result = await kind.run(job.payload, context)
    // Serialised here, because it is later written together with other jobs, which must not fail because of this one.
    return { status: 'completed', result: JSON.parse(JSON.stringify(result ?? null)) }
  }

  async function attempt(): Promise<Outcome | undefined> {
    const abandoned = new Promise<never>((_, reject) => {
      giveUp = reject
    })
    abandoned.catch(() => undefined)
    const timer = setTimeout(() => stop('timeout'), kind.timeoutMs ?? defaultTimeoutMs)
    try {
      return await Promise.race([run(), abandoned])
    } catch (error) {
      return outcomeOf(error, { job, kind, reason })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    job,
    stop,
    takeProgress() {
      const taken = progress
      progress = undefined
      return taken
    },
    ended: attempt(),
  }
}

function outcomeOf(
  error: unknown,
  { job, kind, reason }: { job: ClaimedJob; kind: JobKind; reason: StopReason | undefined },
): Outcome | undefined {
  const message = error instanceof Error ? error.message : String(error)
  if (reason === 'leaseLost') return undefined
  if (reason === 'cancelled') return { status: 'cancelled', error: message }
  if (reason === 'shutdown') return { status: 'handedBack' }
  const isFinal = error instanceof UnretriableJobError || job.attempts >= job.maxAttempts
  if (isFinal) return { status: 'failed', error: message }
  const delayMs = kind.retryDelayMs?.(job.attempts) ?? defaultRetryDelayMs(job.attempts)
  return { status: 'waiting', error: message, runAt: new Date(Date.now() + delayMs).toISOString() }
}

/** Exponential, with jitter so that jobs that failed together are not retried together. */
function defaultRetryDelayMs(attempts: number): number {
  const delayMs = Math.min(longestRetryMs, firstRetryMs * 4 ** (attempts - 1))
  return delayMs * (0.75 + Math.random() / 2)
}
