import type { Awaitable } from '../../kernel/index.ts'
import type { ReadGate, ReadShape } from '../content/content.ts'
import type { Principal } from '../http/http.ts'
import type { ColdStart } from './cold-start.ts'
import type { ShedClass } from './pressure.ts'
import type { Shedder } from './shedder.ts'

/** The connections that reads of a kind run on. */
export interface ReadConnections {
  /** How many there may be; 0 if such reads need none. */
  readonly size: number
  /** Whether there was a queue for them all through the last interval. */
  isCongested: boolean
}

export interface GateOptions {
  readonly shedder: Shedder
  readonly costly: ReadConnections
  readonly others: ReadConnections
  /** Milliseconds. */
  readonly dearMs: () => number
  /** How long reads have to wait at present, in milliseconds. */
  readonly waitMs: () => number
}

/** How much a read counts for the cost of its shape. */
const weightOfLatest = 1 / 8

/**
 * Learns what reads cost, refuses dear ones first, and leaves no shape more than half of the connections while others
 * wait for one.
 */
export class Gate implements ReadGate {
  /** Reads under way. */
  reads = 0
  /** The statements that they run at once. */
  statements = 0
  /** Whether there is anything to decide. */
  isCalm = true
  readonly #options: GateOptions
  #coldStart: ColdStart | undefined

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Has reads without an account wait their turn as long as it lasts. */
  warmUp(coldStart: ColdStart): void {
    this.#coldStart = coldStart
    this.settle()
  }

  /** Call when the pressure or the congestion has changed. */
  settle(): void {
    const { shedder, costly, others } = this.#options
    if (this.#coldStart?.isOver === true) this.#coldStart = undefined
    this.isCalm =
      shedder.pressure === 0 && !costly.isCongested && !others.isCongested && this.#coldStart === undefined
  }

  begin(shape: ReadShape, principal: Principal): Awaitable<void> {
    if (this.isCalm || principal.kind === 'admin') return this.#count(shape)
    const isAnonymous = principal.kind === 'anonymous'
    if (this.#isDear(shape)) this.#assertAdmissible(shape, isAnonymous ? 'dear' : 'read')
    const coldStart = this.#coldStart
    if (!isAnonymous || coldStart === undefined || coldStart.mayBegin) return this.#count(shape)
    if (coldStart.isFull) this.#options.shedder.refuse('anonymous', 'start')
    return coldStart.wait(() => this.#count(shape))
  }

  end(shape: ReadShape, durationMs: number, isSynchronous: boolean): void {
    shape.running -= 1
    this.reads -= 1
    this.statements -= shape.statements
    // What it waited for tells nothing of what it costs.
    const costMs = isSynchronous ? durationMs : Math.max(0, durationMs - this.#options.waitMs())
    shape.costMs += (costMs - shape.costMs) * weightOfLatest
    this.#coldStart?.readEnded()
  }

  #count(shape: ReadShape): void {
    shape.running += 1
    this.reads += 1
    this.statements += shape.statements
  }

  #isDear(shape: ReadShape): boolean {
    return shape.isCostly || shape.costMs > this.#options.dearMs()
  }

  #assertAdmissible(shape: ReadShape, shedClass: ShedClass): void {
    const { shedder, costly, others } = this.#options
    const connections = shape.isCostly ? costly : others
    const half = Math.max(1, Math.floor(connections.size / 2))
    if (connections.isCongested && shape.running * shape.statements >= half)
      shedder.refuse(shedClass, 'shape')
    // With an account: decided already when the request was admitted.
    if (shedClass === 'dear') shedder.pass('dear')
  }
}
