/** How fast a line moves, over one to two windows of time; nothing is known of a shorter one. */
export class LineSpeed {
  readonly #windowMs: number
  /** The window before the present one. */
  #last: { readonly ms: number; readonly turns: number } | undefined
  #since = 0
  #turns = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Call when somebody waits after nobody did. */
  begin(): void {
    this.#last = undefined
    this.#since = performance.now()
    this.#turns = 0
  }

  /** Call with each turn. */
  count(): void {
    this.#turns += 1
  }

  /** Undefined if nothing is known: also while nothing moves at all, which says nothing of when it will. */
  get msPerTurn(): number | undefined {
    const now = performance.now()
    const ms = now - this.#since
    if (ms >= this.#windowMs) {
      this.#last = { ms, turns: this.#turns }
      this.#since = now
      this.#turns = 0
    }
    if (this.#last === undefined) return undefined
    const turns = this.#last.turns + this.#turns
    return turns === 0 ? undefined : (this.#last.ms + now - this.#since) / turns
  }
}
