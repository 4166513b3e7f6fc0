import { Line, type LineOptions, waitedTooLong } from '../../connections/line.ts'
import type { ConnectionLoad } from '../../database-service.ts'
import type { Recipient } from '../../statements/query-target.ts'

/** How long reads may block the event loop at a time, in milliseconds. */
const sliceMs = 25

/**
 * Makes callers take turns on a connection whose reads are synchronous. A read runs at once unless reads have blocked
 * the event loop for a while; then it waits in line, and each round of the loop runs a slice of the waiting reads.
 */
export class ReadingTurns {
  readonly #line: Line<void>
  /** By `performance.now()`; undefined while no read has run in this round of the event loop. */
  #sliceEndsAt: number | undefined

  constructor({ maxWaiting, waitTimeoutMs }: Omit<LineOptions, 'waitedTooLong'>) {
    this.#line = new Line({ maxWaiting, waitTimeoutMs, waitedTooLong: () => waitedTooLong(waitTimeoutMs) })
  }

  load(): ConnectionLoad {
    const { size: waiting, longestWaitMs } = this.#line
    return { use: 'queries', size: 1, open: 1, busy: waiting > 0 ? 1 : 0, waiting, longestWaitMs }
  }

  /** A read without a recipient belongs to a read that has begun, or to the service itself: it runs at once. */
  run<T>(read: () => T, recipient: Recipient | undefined): T | Promise<T> {
    if (recipient === undefined) return read()
    if (this.#line.size === 0 && this.#mayRead()) return read()
    return new Promise((resolve, reject) => {
      const give = () => {
        try {
          resolve(read())
        } catch (error) {
          reject(error)
        }
      }
      this.#line.join({ give, fail: reject }, recipient)
    })
  }

  #mayRead(): boolean {
    if (this.#sliceEndsAt === undefined) this.#beginSlice()
    return performance.now() < (this.#sliceEndsAt ?? 0)
  }

  #beginSlice(): void {
    this.#sliceEndsAt = performance.now() + sliceMs
    setImmediate(() => this.#nextRound())
  }

  #nextRound(): void {
    this.#sliceEndsAt = undefined
    this.#nextTurn()
  }

  /** Each read is answered before the next turn, so that a slice never holds more than one answer in memory. */
  #nextTurn(): void {
    if (this.#line.size === 0 || !this.#mayRead()) return
    this.#line.next()
    queueMicrotask(() => process.nextTick(() => this.#nextTurn()))
  }
}
