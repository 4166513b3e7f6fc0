import { setTimeout } from 'node:timers/promises'
import { type Log, type Repetition, repeat } from '../../../../kernel/index.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { StorageFailure } from '../storage-failure.ts'

const everyMs = 5_000
const graceMs = 1_000

export interface StorageWatchOptions {
  readonly log: Log
  /** Writes, reads and removes a file; rejects with what is wrong. */
  tryOut(): Promise<void>
  /** Called each time that a trial fails. */
  onFailed(failure: StorageFailure): Promise<void>
  /** Called when a trial succeeds after one that failed, or when it was the first. */
  onWorking(): Promise<void>
}

/**
 * Tracks whether the storage does its work. What fails once for a request makes it tried out, again and again until it works: so
 * a file that is lost or a moment without network is no failure of the storage, and the end of one is noticed without requests.
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

  /** @throws StorageFailure while it does not work */
  assertWorking(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Looks whether the storage works, if an error of it says that it may not. */
  suspect(error: unknown): void {
    if (isOfStorage(error)) this.try()
  }

  /** Begins to try it out until it works; returns at once. */
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

  /** Waits for a trial, so that its file is removed, but not for a storage that is silent. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.race([this.#trying?.stop(), setTimeout(graceMs, undefined, { ref: false })])
  }

  async #try(signal: AbortSignal): Promise<void> {
    const { tryOut, onFailed } = this.#options
    // Trials of a silent storage last longer than the time between them, and more of them wait in line.
    if (performance.now() - this.#triedAt < everyMs / 2) return
    try {
      await tryOut()
    } catch (error) {
      // What is stopped is closed under a trial.
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

/** Storages of other plugins throw what they like. */
function asFailure(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error
  return new StorageFailure('failing', error instanceof Error ? error.message : String(error), error)
}
