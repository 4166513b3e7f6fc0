/** One value after another that a register was given. */
interface Version<Value> {
  readonly value: Value
  readonly begunMs: number
  /** When its write was acknowledged; infinity before that. */
  doneMs: number
}

/** A write under way. */
export interface RegisterWrite {
  /** The write was acknowledged. Without it, it may or may not have happened until the next one is. */
  done(): void
  /** It was refused. */
  refused(): void
}

/** Older versions are of no use: no read takes so long. */
const keptMs = 120_000

/**
 * What writers, one at a time, have made of one thing, and when: tells which values a read may show. A value may be shown
 * from the moment at which its write began until the write of a later one was acknowledged. Times are those of
 * `performance.now`.
 */
export class Register<Value> {
  #versions: Version<Value>[]

  constructor(value: Value) {
    this.#versions = [{ value, begunMs: 0, doneMs: 0 }]
  }

  /** The value that was given last, acknowledged or not. */
  get newest(): Value {
    return (this.#versions.at(-1) as Version<Value>).value
  }

  /** @param comesMs when it may be shown, if that is later */
  begin(value: Value, comesMs = 0): RegisterWrite {
    // The clocks of processes on one machine agree; what they are rounded to does not.
    const begunMs = Math.max(performance.now(), comesMs - 2)
    const version = { value, begunMs, doneMs: Number.POSITIVE_INFINITY }
    this.#versions.push(version)
    return {
      done: () => this.#settle(version, Math.max(performance.now(), comesMs + 2)),
      refused: () => {
        this.#versions = this.#versions.filter((each) => each !== version)
      },
    }
  }

  /** What a read may show that ended at a time, and that must show everything that was acknowledged before another one. */
  allowed(acknowledgedMs: number, endedMs: number): readonly Value[] {
    const first = this.#versions.findLastIndex(({ doneMs }) => doneMs <= acknowledgedMs)
    return this.#versions
      .slice(Math.max(0, first))
      .filter(({ begunMs }) => begunMs <= endedMs)
      .map(({ value }) => value)
  }

  /** For how long a value had been replaced at a time, in milliseconds; 0 if it had not. */
  staleness(isShown: (value: Value) => boolean, atMs: number): number {
    const place = this.#versions.findLastIndex(({ value }) => isShown(value))
    const replacedMs = Math.min(...this.#versions.slice(place + 1).map(({ doneMs }) => doneMs))
    return Math.max(0, atMs - replacedMs)
  }

  /** For a report. */
  toString(): string {
    return this.#versions
      .slice(-6)
      .map(({ value, begunMs, doneMs }) => `${value} [${begunMs.toFixed(0)}, ${doneMs.toFixed(0)}]`)
      .join(', ')
  }

  #settle(version: Version<Value>, doneMs: number): void {
    version.doneMs = doneMs
    const oldMs = version.doneMs - keptMs
    const first = this.#versions.findLastIndex(({ doneMs }) => doneMs < oldMs)
    if (first > 0) this.#versions = this.#versions.slice(first)
  }
}
