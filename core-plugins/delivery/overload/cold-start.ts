/** How many reads may wait. */
const maxWaiting = 1_000

export interface ColdStartOptions {
  /** How many statements of reads may run at once while it lasts. */
  readonly limit: number
  /** How many are. */
  readonly running: () => number
}

/**
 * Lets reads begin one after the other while a service warms up: a herd of them, of which nothing is known yet, would
 * take all connections at once.
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

  /** Whether as many wait as may. */
  get isFull(): boolean {
    return this.#waiting.length >= maxWaiting
  }

  get mayBegin(): boolean {
    return this.#waiting.length === 0 && this.#hasRoom()
  }

  /** Ends it after a time. */
  endAfter(ms: number): void {
    this.#timer = setTimeout(() => this.end(), ms)
    this.#timer.unref()
  }

  /** Lets all begin that wait. */
  end(): void {
    clearTimeout(this.#timer)
    if (this.#isOver) return
    this.#isOver = true
    for (const begin of this.#waiting.splice(0)) begin()
  }

  /** Resolves when it is the caller's turn; by then `begin` has been called, which counts it as running. */
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
