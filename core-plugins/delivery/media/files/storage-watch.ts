import { setTimeout } from 'node:timers/promises'
import { type Log, type Repetition, repeat } from '../../../../kernel/index.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { StorageFailure } from '../storage-failure.ts'

const everyMs = 5_000
const graceMs = 1_000

export interface StorageWatchOptions {
  readonly log: Log
  /** Writes, reads and removes a file; rejects if that fails. */
  tryOut(): Promise<void>
  /** Called after each failed trial. */
  onFailed(failure: StorageFailure): Promise<void>
  /** Called after the first successful trial, and after one that follows a failure. */
  onWorking(): Promise<void>
}

/**
 * Tracks whether the storage works. An error in a request starts trials that are repeated until one succeeds. So a missing
 * file or a short network failure does not count as a failure of the storage, and recovery is noticed without requests.
 */
export class StorageWatch {
  readonly #options: StorageWatchOptions
  #failure: StorageFailure | undefined
  #trying: Repetition | undefined
  #isKnown = false
  #isStopped = false
  #triedAt = Number.NEGATIVE_INFINITY

  constructor(options: StorageWatchOptions) {
    this.#options = options
  }

  /** @throws StorageFailure while the storage does not work */
  assertWorking(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Starts trials if the error may be the fault of the storage. */
  suspect(error: unknown): void {
    if (isOfStorage(error)) this.try()
  }

  /** Starts trials until one succeeds; returns immediately. */
  try(): void {
    if (this.#trying !== undefined || this.#isStopped) return
    const { log } = this.#options
    this.#triedAt = Number.NEGATIVE_INFINITY
    this.#trying = repeat((signal) => this.#try(signal), {
      everyMs,
      onError: (err) => log.warn({ err }, 'failed to tell whether the storage of files works'),
    })
    this.#trying.runNow()
  }

  /** Waits for a running trial, so that its file is removed, but only for a limited time. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.race([this.#trying?.stop(), setTimeout(graceMs, undefined, { ref: false })])
  }

  async #try(signal: AbortSignal): Promise<void> {
    const { tryOut, onFailed } = this.#options
    // Trials of an unresponsive storage take longer than the interval between them and queue up; this skips the extra ones.
    if (performance.now() - this.#triedAt < everyMs / 2) return
    try {
      await tryOut()
    } catch (error) {
      // Stopping closes the storage during a trial.
      if (signal.aborted) return
      const failure = asFailure(error)
      this.#triedAt = performance.now()
      this.#note(failure)
      return await onFailed(failure)
    }
    if (!signal.aborted) await this.#works()
  }

  #note(failure: StorageFailure): void {
    const { fault, explanation } = failure
    if (this.#failure?.fault !== fault)
      this.#options.log.error({ fault }, `the storage of files fails: ${explanation}`)
    this.#failure = failure
  }

  async #works(): Promise<void> {
    const { log, onWorking } = this.#options
    const isNews = this.#failure !== undefined || !this.#isKnown
    if (this.#failure !== undefined) log.info({}, 'the storage of files works again')
    this.#failure = undefined
    this.#isKnown = true
    void this.#trying?.stop()
    this.#trying = undefined
    if (isNews) await onWorking()
  }
}

function isOfStorage(error: unknown): boolean {
  return error instanceof StorageFailure || (error instanceof AppError && error.reason === 'storage_away')
}

/** Storages of other plugins may throw any error. */
function asFailure(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error
  return new StorageFailure('failing', error instanceof Error ? error.message : String(error), error)
}
