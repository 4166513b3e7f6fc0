/**
 * What those who waited may do: `look` for what was made; make it together again, since who was to make it has `left`; or
 * make it each `alone`, since nothing of the kind is kept.
 */
export type Landing = 'look' | 'left' | 'alone'

/** An answer that is being made, and those who wait for it. */
export class Flight {
  readonly key: string
  readonly #waiting: ((landing: Landing) => void)[] = []

  constructor(key: string) {
    this.key = key
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0
  }

  /** Resolves when it has landed. */
  wait(): Promise<Landing> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  land(landing: Landing): void {
    for (const resolve of this.#waiting) resolve(landing)
  }
}

/** The answers that are being made, by key. */
export class Flights {
  /** On SQLite there is hardly ever another one: most requests need no Map, whose entries cost more to come and go. */
  #latest: Flight | undefined
  readonly #earlier = new Map<string, Flight>()

  get(key: string): Flight | undefined {
    if (this.#latest?.key === key) return this.#latest
    return this.#earlier.size === 0 ? undefined : this.#earlier.get(key)
  }

  takeOff(key: string): Flight {
    if (this.#latest !== undefined) this.#earlier.set(this.#latest.key, this.#latest)
    this.#latest = new Flight(key)
    return this.#latest
  }

  land(flight: Flight, landing: Landing): void {
    if (this.#latest === flight) this.#latest = undefined
    else this.#earlier.delete(flight.key)
    flight.land(landing)
  }
}
