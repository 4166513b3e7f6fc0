/** The maximum number of waiting reads. */
const maxWaiting = 1_000

export interface ColdStartOptions {
  /** The maximum number of concurrent read statements during the cold start. */
  readonly limit: number
  /** The number of statements now running. */
  readonly running: () => number
}

/**
 * Lets reads begin one after the other while a service warms up: with empty caches, a herd of reads would take all connections
 * at once.
 */
export class ColdStart {
  readonly #options: ColdStartOptions
  readonly #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(options: ColdStartOptions) {
    this.#options = options
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether the maximum number of reads is waiting. */
  get isFull(): boolean {
    return this.#waiting.length >= maxWaiting
  }

  get mayBegin(): boolean {
    return this.#waiting.length === 0 && this.#hasRoom()
  }

  /** Ends the cold start after a time. */
  endAfter(ms: number): void {
    this.#timer = setTimeout(() => this.end(), ms)
    this.#timer.unref()
  }

  /** Lets all waiting reads begin. */
  end(): void {
    clearTimeout(this.#timer)
    if (this.#isOver) return
    this.#isOver = true
    for (const begin of this.#waiting.splice(0)) begin()
  }

  /** Resolves when it is the caller's turn; `begin` has been called by then, to count it as running. */
  wait(begin: () => void): Promise<void> {
    return new Promise((resolve) =>
      this.#waiting.push(() => {
        begin()
        resolve()
      }),
    )
  }

  /** Call when a read has ended. */
  readEnded(): void {
    while (this.#waiting.length > 0 && this.#hasRoom()) this.#waiting.shift()?.()
  }

  #hasRoom(): boolean {
    return this.#options.running() < this.#options.limit
  }
}
