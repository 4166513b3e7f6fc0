import { rm, writeFile } from 'node:fs/promises'
import { type Log, type Repetition, repeat } from '../../../kernel/index.ts'
import { asAppError } from '../../http/http.ts'
import type { Spool } from './spool.ts'

/** What has room for less is full: hardly an upload would fit. */
const filling = Buffer.alloc(1024 * 1024, '.')
const everyMs = 2_000

export interface RoomWatchOptions {
  readonly log: Log
  readonly spool: () => Spool
  onFull(error: unknown): Promise<void>
  onFreed(): Promise<void>
}

/** Knows whether files have room: not since one could not be written for want of it, until a write succeeds again. */
export class RoomWatch {
  readonly #options: RoomWatchOptions
  #failure: unknown
  #probing: Repetition | undefined

  constructor(options: RoomWatchOptions) {
    this.#options = options
  }

  /** @throws AppError 507 while there is no room */
  expectRoom(): void {
    if (this.#failure !== undefined) throw asAppError(this.#failure)
  }

  /** Does work that writes files, and notes when it fails for want of room. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (asAppError(error).code === 'STORAGE_FULL') this.#failed(error)
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
      onError: (err) => log.warn({ err }, 'whether files have room again is not known'),
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
