/** A connection as the watchdog sees it. */
export interface Watched {
  /** Queries that have not been answered. */
  readonly inFlight: number
  /** When it last began to wait, or was last answered; milliseconds as of Date.now. */
  readonly progressAt: number
  /** How long it may wait, in milliseconds. */
  readonly patienceMs: number
  /** Ends it and fails what is in flight. */
  destroy(): void
}

const intervalMs = 250

/**
 * Ends connections that do not answer any more, such as those of a network that was cut. One timer for all of them, as
 * one for every query would cost more than the query's own bookkeeping.
 */
export class Watchdog {
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined

  add(connection: Watched): void {
    this.#watched.add(connection)
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
    for (const connection of this.#watched) {
      const { inFlight, progressAt, patienceMs } = connection
      if (inFlight > 0 && now - progressAt > patienceMs) connection.destroy()
    }
  }
}
