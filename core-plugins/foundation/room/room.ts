import { type HookToken, hook, type Log, type Repetition, repeat } from '../../../kernel/index.ts'

/** A store whose room has run out, or that has room again. */
export interface RoomChange {
  /** `database`, `files of host` */
  readonly store: string
  /** What is refused, and what to do about it. */
  readonly message: string
  /** For operators, beside the error. */
  readonly details?: Readonly<Record<string, unknown>>
  /** Undefined: there is room again. */
  readonly error: unknown
}

/**
 * A write has failed for lack of room: emitted every few seconds, and once more when there is room again. The database, which is
 * always on, lists it for all plugins that have a store.
 */
export const roomChanged: HookToken<RoomChange> = hook('database:roomChanged')

const everyMs = 2_000

export interface RoomWatchOptions extends Omit<RoomChange, 'error'> {
  readonly log: Log
  /** Writes something and removes it again: fails as long as there is no room. */
  probe(): Promise<void>
  /** Whether a write has failed for lack of room. */
  isFull(error: unknown): boolean
  emit(hook: typeof roomChanged, change: RoomChange): Promise<void>
}

/** Tracks whether a store has room: none from the first write that fails for lack of it until one succeeds again. */
export class RoomWatch {
  readonly #options: RoomWatchOptions
  #failure: unknown
  #probing: Repetition | undefined

  constructor(options: RoomWatchOptions) {
    this.#options = options
  }

  /** @throws the failure, while there is no room */
  assertRoom(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** A write has failed; for lack of room, perhaps. */
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

  /** Runs work that writes, and notices if it fails for lack of room. */
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
