import { type HookToken, hook, type Log, type Repetition, repeat } from '../../../kernel/index.ts'

/** A store that has run out of space, or has space again. */
export interface RoomChange {
  /** `database`, `files of host` */
  readonly store: string
  /** What is refused, and how to solve it. */
  readonly message: string
  /** Logged for operators together with the error. */
  readonly details?: Readonly<Record<string, unknown>>
  /** Undefined if there is space again. */
  readonly error: unknown
}

/**
 * A write failed for lack of space: emitted every few seconds, and once more when there is space again. Listed by the
 * database plugin, which is always on, for all plugins with a store.
 */
export const roomChanged: HookToken<RoomChange> = hook('database:roomChanged')

const everyMs = 2_000

export interface RoomWatchOptions extends Omit<RoomChange, 'error'> {
  readonly log: Log
  /** Writes something and removes it again: fails as long as there is no space. */
  probe(): Promise<void>
  /** Whether a write failed for lack of space. */
  isFull(error: unknown): boolean
  emit(hook: typeof roomChanged, change: RoomChange): Promise<void>
}

/** Tracks whether a store has space: none from the first write that fails for lack of it until one succeeds again. */
export class RoomWatch {
  readonly #options: RoomWatchOptions
  #failure: unknown
  #probing: Repetition | undefined

  constructor(options: RoomWatchOptions) {
    this.#options = options
  }

  /** @throws the failure, while there is no space */
  assertRoom(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Call when a write has failed, for whatever reason. */
  failed(error: unknown): void {
    const { log, store, message, isFull } = this.#options
    if (this.#failure !== undefined || !isFull(error)) return
    this.#failure = error
    log.error({ err: error, store }, message)
    this.#probing = repeat(() => this.#probe(), {
      everyMs,
      onError: (err) => log.warn({ err, store }, 'could not check whether there is room again'),
    })
    this.#probing.runNow()
  }

  /** Runs work that writes, and notes if it fails for lack of space. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.failed(error)
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.#probing?.stop()
  }

  async #probe(): Promise<void> {
    const { probe, isFull, log, store } = this.#options
    try {
      await probe()
    } catch (error) {
      if (!isFull(error)) throw error
      return await this.#emit(error)
    }
    this.#failure = undefined
    void this.#probing?.stop()
    log.info({ store }, 'there is room again')
    await this.#emit(undefined)
  }

  #emit(error: unknown): Promise<void> {
    const { store, message, details = {}, emit } = this.#options
    return emit(roomChanged, { store, message, details, error })
  }
}
