/** Limits calls per minute; unused calls can be made in a burst. */
export class Pace {
  readonly #perMinute: () => number
  #left: number
  #countedAtMs: number
  #restsUntilMs = Number.NEGATIVE_INFINITY

  constructor(perMinute: () => number) {
    this.#perMinute = perMinute
    this.#left = this.#burst
    this.#countedAtMs = performance.now()
  }

  /** The number of calls that may be made now. */
  get left(): number {
    const now = performance.now()
    const gained = ((now - this.#countedAtMs) * this.#perMinute()) / 60_000
    this.#left = Math.min(this.#burst, this.#left + gained)
    this.#countedAtMs = now
    return Math.floor(this.#left)
  }

  /** Milliseconds until the next call may be made. */
  get waitMs(): number {
    const restMs = Math.max(0, Math.ceil(this.#restsUntilMs - performance.now()))
    if (this.left >= 1) return restMs
    return Math.max(restMs, Math.ceil(((1 - this.#left) * 60_000) / this.#perMinute()))
  }

  /** Blocks calls for a time. */
  rest(ms: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, performance.now() + ms)
  }

  take(): void {
    this.#left -= 1
  }

  get #burst(): number {
    return Math.max(1, Math.min(100, this.#perMinute()))
  }
}
