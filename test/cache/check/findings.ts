/** What a run has found. */
export class Findings {
  /** Answers compared with those of a process that keeps none, and answers whose every value was looked at. */
  readonly checked = { compared: 0, looked: 0 }
  hits = 0
  /** No answer, or one that says that there is none: processes die. */
  unavailable = 0
  readonly faults = { kills: 0, freezes: 0, restores: 0 }
  readonly violations: string[] = []
  /** Of each value that was shown although a newer one was acknowledged before it was asked for, in milliseconds. */
  readonly #staleness: number[] = []
  #fresh = 0

  get total(): number {
    return this.checked.compared + this.checked.looked
  }

  stale(ms: number): void {
    if (ms === 0) this.#fresh += 1
    else this.#staleness.push(ms)
  }

  violation(text: string): void {
    this.violations.push(text)
    console.error(`VIOLATION ${text}`)
  }

  toString(): string {
    const { checked, hits, unavailable, faults, violations } = this
    const values = this.#fresh + this.#staleness.length
    const ages = this.#staleness.toSorted((left, right) => left - right)
    const share = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`
    const at = (portion: number) => {
      const place = Math.floor(portion * values) - this.#fresh
      return place < 0 ? 0 : (ages[Math.min(place, ages.length - 1)] ?? 0)
    }
    const list = (counts: object) =>
      Object.entries(counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')
    return [
      `${this.total} answers checked (${list(checked)}), ${violations.length} violations, ${share(hits, this.total)} from memory`,
      `${list(faults)}; ${unavailable} reads were not answered`,
      `staleness of ${values} values: p50 ${at(0.5).toFixed(0)}, p99 ${at(0.99).toFixed(0)}, max ${at(1).toFixed(0)} ms`,
    ].join('\n')
  }
}
