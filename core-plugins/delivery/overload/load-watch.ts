import type { ConnectionLoad, Database } from '../../foundation/database/database.ts'

/** The minimum load seen in an interval; the load was at least this high throughout. */
export interface LoadWindow {
  /** The delay of the event loop, in milliseconds. */
  readonly loopMs: number
  /** How long a query had been waiting for a connection, in milliseconds. */
  readonly queryWaitMs: number
  /** The same for the connections of costly reads. */
  readonly costlyWaitMs: number
  /** The number of reads in progress. */
  readonly reads: number
}

/** @param intervals the number of intervals that have passed: more than one if the event loop was blocked */
export type WindowListener = (window: LoadWindow, intervals: number) => void

export interface LoadWatchOptions {
  readonly database: Pick<Database, 'load'>
  readonly reads: () => number
  /** Read again for each interval. */
  readonly intervalMs: () => number
  readonly onWindow: WindowListener
}

/**
 * A single measurement is not reliable: after a pause of the process the first one finds everything late, and the next one
 * finds nothing.
 */
const leastLooks = 2
const looksPerInterval = 10

/**
 * Measures the load several times per interval and reports the minimum. A queue that empties now and then is a burst; one that
 * never does is an overload, whatever its length (CoDel, RFC 8289).
 */
export class LoadWatch {
  /** The last measured wait of a new read, in milliseconds. */
  waitMs = 0
  readonly #options: LoadWatchOptions
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #beganAt = 0
  #looks = 0
  #least: LoadWindow | undefined

  constructor(options: LoadWatchOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#timer !== undefined) return
    this.#beganAt = performance.now()
    this.#looks = 0
    this.#least = undefined
    this.#arm()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.waitMs = 0
  }

  #arm(): void {
    const afterMs = Math.max(1, this.#options.intervalMs() / looksPerInterval)
    this.#dueAt = performance.now() + afterMs
    this.#timer = setTimeout(() => this.#look(), afterMs)
    this.#timer.unref()
  }

  #look(): void {
    const now = performance.now()
    const seen = this.#seen(Math.max(0, now - this.#dueAt))
    this.waitMs = Math.max(seen.loopMs, seen.queryWaitMs)
    const least = leastOf(this.#least, seen)
    const intervals = (now - this.#beganAt) / this.#options.intervalMs()
    this.#least = least
    this.#looks += 1
    if (this.#looks >= leastLooks && intervals >= 1) {
      // The last measurement also counts for the next interval: under load there may be seconds between two of them.
      this.#beganAt = now
      this.#looks = 1
      this.#least = seen
      this.#options.onWindow(least, intervals)
    }
    // The listener may have stopped the watch.
    if (this.#timer !== undefined) this.#arm()
  }

  #seen(loopMs: number): LoadWindow {
    const { database, reads } = this.#options
    const load = database.load()
    return {
      loopMs,
      queryWaitMs: waitFor('queries', load),
      costlyWaitMs: waitFor('costly reads', load),
      reads: reads(),
    }
  }
}

function leastOf(least: LoadWindow | undefined, seen: LoadWindow): LoadWindow {
  if (least === undefined) return seen
  return {
    loopMs: Math.min(least.loopMs, seen.loopMs),
    queryWaitMs: Math.min(least.queryWaitMs, seen.queryWaitMs),
    costlyWaitMs: Math.min(least.costlyWaitMs, seen.costlyWaitMs),
    reads: Math.min(least.reads, seen.reads),
  }
}

function waitFor(use: ConnectionLoad['use'], load: readonly ConnectionLoad[]): number {
  return load.find((each) => each.use === use)?.longestWaitMs ?? 0
}
