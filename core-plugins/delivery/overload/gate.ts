import type { Awaitable } from '../../../kernel/index.ts'
import type { ReadGate, ReadShape } from '../../entries/content/content.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ColdStart } from './cold-start.ts'
import type { Shedder } from './shedder.ts'

export interface GateOptions {
  readonly shedder: Shedder
  /** Milliseconds. */
  readonly dearMs: () => number
  /** How long reads have to wait at present, in milliseconds. */
  readonly waitMs: () => number
}

/** How much a read counts for the cost of its shape. */
const weightOfLatest = 1 / 8

/** Learns what reads cost, and refuses dear ones of callers without an account first. */
export class Gate implements ReadGate {
  /** Reads under way. */
  reads = 0
  /** The statements that they run at once. */
  statements = 0
  readonly #options: GateOptions
  #coldStart: ColdStart | undefined

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Has reads without an account wait their turn as long as it lasts. */
  warmUp(coldStart: ColdStart): void {
    this.#coldStart = coldStart
  }

  begin(shape: ReadShape, principal: Principal): Awaitable<void> {
    if (principal.kind !== 'anonymous') return this.#count(shape)
    const { shedder } = this.#options
    if (shedder.pressure > 0 && this.#isDear(shape)) shedder.pass('dear')
    const coldStart = this.#coldStart
    if (coldStart === undefined || coldStart.isOver || coldStart.mayBegin) return this.#count(shape)
    if (coldStart.isFull) shedder.refuse('anonymous', 'start')
    return coldStart.wait(() => this.#count(shape))
  }

  end(shape: ReadShape, durationMs: number, isSynchronous: boolean): void {
    this.reads -= 1
    this.statements -= shape.statements
    // Time spent waiting says nothing about the cost.
    const costMs = isSynchronous ? durationMs : Math.max(0, durationMs - this.#options.waitMs())
    shape.costMs += (costMs - shape.costMs) * weightOfLatest
    this.#coldStart?.readEnded()
  }

  #count(shape: ReadShape): void {
    this.reads += 1
    this.statements += shape.statements
  }

  #isDear(shape: ReadShape): boolean {
    return shape.isCostly || shape.costMs > this.#options.dearMs()
  }
}
