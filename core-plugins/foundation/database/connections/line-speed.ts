/** How fast a line moves, measured over one to two time windows; unknown before the first window is over. */
export class LineSpeed {
  readonly #windowMs: number
  /** The window before the current one. */
  #last: { readonly ms: number; readonly turns: number } | undefined
  #since = 0
  #turns = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Call when an entrant begins to wait in a line that was empty. */
  begin(): void {
    this.#last = undefined
    this.#since = performance.now()
    this.#turns = 0
  }

  /** Call with each turn. */
  count(): void {
    this.#turns += 1
  }

  /** Undefined if unknown: also while the line does not move at all, since that does not say when it will. */
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
