import { rm, writeFile } from 'node:fs/promises'
import { type Log, type Repetition, repeat } from '../../../../kernel/index.ts'
import { asAppError } from '../../../foundation/http/http.ts'
import { StorageFailure } from '../storage-failure.ts'
import type { Spool } from './spool.ts'

/** A disk with less free space than this is full: hardly an upload would fit. */
const filling = Buffer.alloc(1024 * 1024, '.')
const everyMs = 2_000

export interface RoomWatchOptions {
  readonly log: Log
  readonly spool: () => Spool
  onFull(error: unknown): Promise<void>
  onFreed(): Promise<void>
}

/**
 * Tracks whether there is space for files: none after a write failed for lack of it, until a write succeeds
 * again.
 */
export class RoomWatch {
  readonly #options: RoomWatchOptions
  #failure: unknown
  #probing: Repetition | undefined

  constructor(options: RoomWatchOptions) {
    this.#options = options
  }

  /** @throws AppError 507 while there is no room */
  assertRoom(): void {
    if (this.#failure !== undefined) throw asAppError(this.#failure)
  }

  /** Runs work that writes files, and records when it fails for lack of space. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      // A distant store has a watch of its own.
      const isOfDisk = !(error instanceof StorageFailure)
      if (isOfDisk && asAppError(error).code === 'STORAGE_FULL') this.#failed(error)
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.#probing?.stop()
  }

  #failed(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    const { log } = this.#options
    this.#probing = repeat(() => this.#probe(), {
      everyMs,
      onError: (err) => log.warn({ err }, 'failed to check for free space'),
    })
    this.#probing.runNow()
  }

  async #probe(): Promise<void> {
    const { spool, onFull, onFreed, log } = this.#options
    const path = spool().newPath()
    try {
      await writeFile(path, filling)
    } catch (error) {
      if (asAppError(error).code !== 'STORAGE_FULL') throw error
      return await onFull(error)
    } finally {
      await rm(path, { force: true })
    }
    this.#failure = undefined
    void this.#probing?.stop()
    log.info({}, 'files have room again')
    await onFreed()
  }
}
