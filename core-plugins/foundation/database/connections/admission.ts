import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from '../database-error.ts'

/** An owner of connections that can manage with fewer. */
export interface Holder {
  /** Gives up one connection, now or as soon as it is no longer in use. */
  yieldOne(): void
}

/** How long a holder of connections waits before asking for another after one could not be opened. */
const pauseMs = 1_000
const retryMs = 100
/** The server takes a moment to release a connection that was given up. */
const retriesForOne = 5

/**
 * Decides who may open connections. While the server has too many, holders of several connections make do with theirs
 * for a while, and callers without any are given one of those.
 */
export class Admission {
  readonly #holders: Holder[] = []
  #failedAt = Number.NEGATIVE_INFINITY
  #failure: unknown

  add(holder: Holder): void {
    this.#holders.push(holder)
  }

  /** False for a moment after a connection could not be opened. */
  get isOpen(): boolean {
    return performance.now() - this.#failedAt > pauseMs
  }

  /** Whether the server had too many connections when last asked. */
  get isRefusing(): boolean {
    return isRefusal(this.#failure)
  }

  /**
   * Opens a connection for a caller that can do without.
   * @throws the error of `open`
   */
  async ask<T>(open: () => Promise<T>): Promise<T> {
    try {
      const connection = await open()
      this.#failure = undefined
      return connection
    } catch (error) {
      this.#failure = error
      this.#failedAt = performance.now()
      throw error
    }
  }

  /** Opens a connection for a caller that has no other; retries for `timeoutMs` while the server has too many. */
  async insist<T>(open: () => Promise<T>, timeoutMs: number, asker?: Holder): Promise<T> {
    const deadline = performance.now() + timeoutMs
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.ask(open)
      } catch (error) {
        if (!isRefusal(error) || performance.now() + retryMs > deadline) throw error
      }
      if (attempt % retriesForOne === 0) this.#askOthers(asker)
      await delay(retryMs)
    }
  }

  #askOthers(asker: Holder | undefined): void {
    for (const holder of this.#holders) if (holder !== asker) holder.yieldOne()
  }
}

/** Whether the server is reachable but has too many connections. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'busy'
}
