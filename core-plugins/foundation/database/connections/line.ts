import { abandoned, DatabaseError } from '../database-error.ts'
import type { Recipient } from '../statements/query-target.ts'
import { LineSpeed } from './line-speed.ts'

export interface LineOptions {
  /** How many may wait at the moment. */
  readonly maxWaiting: () => number
  /** How long each may wait, in milliseconds. */
  readonly waitTimeoutMs: number
  /** The error for an entrant that has waited for that long. */
  readonly waitedTooLong: () => DatabaseError
}

/** An entrant that waits in a line; exactly one of the two methods is called, once. */
export interface Entrant<T> {
  give(turn: T): void
  fail(error: unknown): void
}

interface Waiting<T> extends Entrant<T> {
  readonly recipient: Beginner | undefined
  /** By `performance.now()`. */
  readonly since: number
}

/** The waiting requests of one caller, oldest first. */
type Lane<T> = Waiting<T>[]

/**
 * Marks a recipient that has waited for a turn already: its further queries go first, so that it does not wait again
 * for each. A property and not a WeakSet, which would keep recipients and their answers in memory until a full
 * garbage collection.
 */
const begun = Symbol('begun')

interface Beginner extends Recipient {
  [begun]?: true
}

/** One in this many turns goes to callers without credentials while others wait, so that they are served too. */
const turnsPerStranger = 8

/**
 * A line for a connection, or for a turn on one. Callers take turns, however much each of them has asked for; the
 * service's own queries go first, and callers without credentials come last. An entrant is refused only if it has
 * waited too long, or would have to according to the speed of the line. If the line is full, the caller with the most
 * waiting queries loses one.
 */
export class Line<T> {
  readonly #options: LineOptions
  /** The service's own queries: the rest of a read that has begun, looking up who a caller is. */
  readonly #own: Lane<T> = []
  /** By caller, in the order of their turns. */
  readonly #callers = new Map<string, Lane<T>>()
  readonly #strangers: Lane<T> = []
  readonly #speed: LineSpeed
  #size = 0
  #turns = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: LineOptions) {
    this.#options = options
    this.#speed = new LineSpeed(options.waitTimeoutMs / 2)
  }

  get size(): number {
    return this.#size
  }

  /** How long the oldest entrant has been waiting, in milliseconds; 0 if the line is empty. */
  get longestWaitMs(): number {
    const oldest = this.#oldestSince()
    return oldest === undefined ? 0 : performance.now() - oldest
  }

  /**
   * The entrant fails with a DatabaseError of kind `busy` if it has waited too long or would have to, or of kind
   * `abandoned` if its recipient goes away meanwhile.
   */
  join(entrant: Entrant<T>, recipient?: Recipient): void {
    const lane = this.#laneOf(recipient)
    if (this.#isTooLong(lane)) entrant.fail(queueFull('more is waiting than can be done in time'))
    else this.#enter(lane, entrant, recipient)
  }

  #enter(lane: Lane<T>, entrant: Entrant<T>, recipient: Recipient | undefined): void {
    let stopWatching: (() => void) | undefined
    const waiting: Waiting<T> = {
      recipient,
      since: performance.now(),
      give(turn) {
        stopWatching?.()
        entrant.give(turn)
      },
      fail(error) {
        stopWatching?.()
        entrant.fail(error)
      },
    }
    lane.push(waiting)
    this.#size += 1
    if (this.#size === 1) this.#speed.begin()
    this.#timer ??= this.#arm(this.#options.waitTimeoutMs)
    stopWatching = recipient && onceGone(recipient, () => this.#leave(lane, waiting))
    if (this.#size > this.#options.maxWaiting()) this.#makeRoom()
  }

  #leave(lane: Lane<T>, waiting: Waiting<T>): void {
    if (this.#remove(lane, waiting)) waiting.fail(abandoned())
  }

  /** Gives the next entrant its turn; false if none waits. */
  next(turn: T): boolean {
    const next = this.#takeNext()
    if (next === undefined) return false
    this.#speed.count()
    if (next.recipient !== undefined) next.recipient[begun] = true
    next.give(turn)
    return true
  }

  /** Fails the next entrant; false if none waits. */
  failNext(error: unknown): boolean {
    const next = this.#takeNext()
    next?.fail(error)
    return next !== undefined
  }

  #laneOf(recipient: Beginner | undefined): Lane<T> {
    const principal = recipient?.principal
    if (principal === undefined || recipient?.[begun]) return this.#own
    if (principal.kind === 'anonymous') return this.#strangers
    const key = `${principal.kind} ${principal.id}`
    const lane = this.#callers.get(key) ?? []
    if (lane.length === 0) this.#callers.set(key, lane)
    return lane
  }

  /** Whether more entrants are ahead of one that joins the lane now than can be served within its time limit. */
  #isTooLong(lane: Lane<T>): boolean {
    const msPerTurn = this.#speed.msPerTurn
    if (msPerTurn === undefined) return false
    return this.#turnsBefore(lane) * msPerTurn > this.#options.waitTimeoutMs
  }

  #turnsBefore(lane: Lane<T>): number {
    if (lane === this.#own) return lane.length
    if (lane === this.#strangers) return Math.min(this.#size, turnsPerStranger * (lane.length + 1))
    let turns = this.#own.length
    for (const other of this.#callers.values()) turns += Math.min(other.length, lane.length + 1)
    return this.#strangers.length > 0 ? (turns * turnsPerStranger) / (turnsPerStranger - 1) : turns
  }

  #takeNext(): Waiting<T> | undefined {
    if (this.#size === 0) return undefined
    this.#turns += 1
    const isForStranger = this.#turns % turnsPerStranger === 0
    const lane = this.#own.length > 0 ? this.#own : this.#laneOfTurn(isForStranger)
    const next = lane.shift()
    if (next !== undefined) this.#left()
    return next
  }

  #laneOfTurn(isForStranger: boolean): Lane<T> {
    if (isForStranger && this.#strangers.length > 0) return this.#strangers
    for (const [key, lane] of this.#callers) {
      // Moves the caller's lane to the end, or removes it if empty.
      this.#callers.delete(key)
      if (lane.length > 1) this.#callers.set(key, lane)
      if (lane.length > 0) return lane
    }
    return this.#strangers
  }

  /** Returns false if it is not in the lane any more. */
  #remove(lane: Lane<T>, waiting: Waiting<T>): boolean {
    const place = lane.indexOf(waiting)
    if (place === -1) return false
    lane.splice(place, 1)
    this.#left()
    return true
  }

  #left(): void {
    this.#size -= 1
    if (this.#size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#callers.clear()
  }

  /** Removes the latest entrant of callers without credentials, or of the caller with the most waiting. */
  #makeRoom(): void {
    let longest = this.#strangers
    if (longest.length === 0) {
      longest = this.#own
      for (const lane of this.#callers.values()) if (lane.length > longest.length) longest = lane
    }
    const turnedAway = longest.pop()
    if (turnedAway === undefined) return
    this.#left()
    turnedAway.fail(queueFull(`${this.#options.maxWaiting()} are already waiting for a database connection`))
  }

  #oldestSince(): number | undefined {
    let oldest = this.#own[0]?.since
    const look = (lane: Lane<T>) => {
      const since = lane[0]?.since
      if (since !== undefined && (oldest === undefined || since < oldest)) oldest = since
    }
    look(this.#strangers)
    for (const lane of this.#callers.values()) look(lane)
    return oldest
  }

  /** A single timer for all entrants, set for the oldest. */
  #arm(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined
      this.#failLate()
      const oldest = this.#oldestSince()
      if (oldest === undefined) return
      this.#timer = this.#arm(Math.max(1, oldest + this.#options.waitTimeoutMs - performance.now()))
    }, ms)
  }

  #failLate(): void {
    const { waitTimeoutMs } = this.#options
    const joinedBefore = performance.now() - waitTimeoutMs
    for (const lane of [this.#own, this.#strangers, ...this.#callers.values()]) {
      for (let first = lane[0]; first !== undefined && first.since <= joinedBefore; first = lane[0]) {
        this.#remove(lane, first)
        first.fail(this.#options.waitedTooLong())
      }
    }
  }
}

/**
 * Leaves the line when the recipient is gone. Returns how to stop listening, if necessary: a signal may outlive many
 * waits.
 */
function onceGone(recipient: Recipient, leave: () => void): (() => void) | undefined {
  if (recipient.onGone !== undefined) {
    recipient.onGone(leave)
    return undefined
  }
  const { signal } = recipient
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return () => signal.removeEventListener('abort', leave)
}

/** The error of an entrant that has waited for the maximum time. */
export function waitedTooLong(ms: number): DatabaseError {
  const message = `no database connection became free within ${ms} ms`
  return new DatabaseError('busy', message, { reason: 'wait_too_long' })
}

function queueFull(message: string): DatabaseError {
  return new DatabaseError('busy', message, { reason: 'queue_full' })
}
