import { isRefusal } from './admission.ts'
import type { Breaker } from './breaker.ts'

/** A connection as the watchdog sees it. */
export interface Watched {
  /** Queries that have not been answered yet. */
  readonly inFlight: number
  /** When it last began to wait or was last answered; in milliseconds as in Date.now. */
  readonly progressAt: number
  /** When it was last answered. */
  readonly answeredAt: number
  /** How long a query may take, in milliseconds; Infinity for connections that are not watched. */
  readonly patienceMs: number
  /** Ends the connection and fails the queries in flight. */
  destroy(): void
}

export interface WatchdogOptions {
  /** How long the server may be silent on all connections while queries wait for it, in milliseconds. */
  readonly silenceMs: number
  readonly breaker: Breaker
  /** Connects to the server to check whether it responds. */
  probe(): Promise<void>
}

const intervalMs = 250
const probesInSilence = 4
/** A check that is delayed by more than this, in milliseconds, shows that the event loop itself was blocked. */
const longestDelayMs = 1_000

/**
 * Ends connections that no longer respond, such as those over a network that was cut, and all waiting ones if the
 * whole server has fallen silent. A single timer for all, since one per query would cost more than the query's own
 * bookkeeping.
 */
export class Watchdog {
  readonly #options: WatchdogOptions
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined
  #lookedAt = 0
  #signAt = 0
  #isProbing = false

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  add(connection: Watched): void {
    this.#watched.add(connection)
    this.#signAt = Date.now()
    this.#timer ??= setInterval(() => this.#look(), intervalMs).unref()
  }

  remove(connection: Watched): void {
    this.#watched.delete(connection)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = Date.now()
    const wasHeldUp = now - this.#lookedAt > longestDelayMs
    this.#lookedAt = now
    // Data that arrived meanwhile has not been read yet.
    if (wasHeldUp) this.#signAt = now
    const waiting = [...this.#watched].filter(
      ({ inFlight, patienceMs }) => inFlight > 0 && patienceMs < Infinity,
    )
    for (const { answeredAt } of this.#watched) this.#signAt = Math.max(this.#signAt, answeredAt)
    for (const connection of waiting) this.#check(connection, now)
  }

  #check(connection: Watched, now: number): void {
    const { silenceMs, breaker } = this.#options
    const silentMs = now - Math.max(connection.progressAt, this.#signAt)
    if (silentMs > silenceMs) breaker.failed()
    if (silentMs > silenceMs || now - connection.progressAt > connection.patienceMs) connection.destroy()
    else if (silentMs > silenceMs / probesInSilence) void this.#probe()
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    try {
      await this.#options.probe()
      this.#signAt = Date.now()
    } catch (error) {
      if (isRefusal(error)) this.#signAt = Date.now()
    } finally {
      this.#isProbing = false
    }
  }
}
