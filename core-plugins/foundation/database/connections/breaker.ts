import { DatabaseError } from '../database-error.ts'

/**
 * Makes queries fail at once while the server is unreachable, instead of each waiting for a connection. Lets one
 * through now and then to find out whether the server can be reached again.
 */
export class Breaker {
  readonly #pauseMs: number
  readonly #probeTimeoutMs: number
  /** When the next query is let through; 0 while the server is reachable. */
  #nextProbeAt = 0

  constructor(pauseMs: number, probeTimeoutMs: number) {
    this.#pauseMs = pauseMs
    this.#probeTimeoutMs = probeTimeoutMs
  }

  /**
   * Connects to the server.
   * @throws DatabaseError of kind `unavailable` while the server is known to be unreachable; otherwise the error of
   * `connect`
   */
  async guard<T>(connect: () => Promise<T>): Promise<T> {
    this.#check()
    try {
      const connection = await connect()
      this.#nextProbeAt = 0
      return connection
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'unavailable') this.failed()
      throw error
    }
  }

  #check(): void {
    if (this.#nextProbeAt === 0) return
    const now = Date.now()
    if (now < this.#nextProbeAt) throw new DatabaseError('unavailable', 'the database cannot be reached')
    this.#nextProbeAt = now + this.#probeTimeoutMs
  }

  failed(): void {
    this.#nextProbeAt = Date.now() + this.#pauseMs
  }
}
