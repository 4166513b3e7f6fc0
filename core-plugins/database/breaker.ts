import { DatabaseError } from './database.ts'

/**
 * Makes queries fail at once while the server cannot be reached, instead of each waiting for a connection. Now and then
 * one is let through, to find out whether the server is back.
 */
export class Breaker {
  readonly #pauseMs: number
  readonly #probeTimeoutMs: number
  /** When the next query is let through; 0 while the server answers. */
  #nextProbeAt = 0

  constructor(pauseMs: number, probeTimeoutMs: number) {
    this.#pauseMs = pauseMs
    this.#probeTimeoutMs = probeTimeoutMs
  }

  /** @throws DatabaseError of kind `unavailable` while the server is known to be gone */
  check(): void {
    if (this.#nextProbeAt === 0) return
    const now = Date.now()
    if (now < this.#nextProbeAt) throw new DatabaseError('unavailable', 'the database cannot be reached')
    this.#nextProbeAt = now + this.#probeTimeoutMs
  }

  failed(): void {
    this.#nextProbeAt = Date.now() + this.#pauseMs
  }

  succeeded(): void {
    this.#nextProbeAt = 0
  }
}
