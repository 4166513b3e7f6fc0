/**
 * What waiting requests do next: `look` up the response; make it together again, since the request that was making it has
 * `left`; or each make it `alone`, since such responses are not cached.
 */
export type Landing = 'look' | 'left' | 'alone'

/** A response in progress, with the requests that wait for it. */
export class Flight {
  readonly key: string
  readonly #waiting: ((landing: Landing) => void)[] = []

  constructor(key: string) {
    this.key = key
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0
  }

  /** Resolves when the response is finished or given up. */
  wait(): Promise<Landing> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  land(landing: Landing): void {
    for (const resolve of this.#waiting) resolve(landing)
  }
}

/** The responses in progress, by key. */
export class Flights {
  /** With SQLite there is hardly ever more than one, so most requests avoid the Map, whose entries are more expensive. */
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
