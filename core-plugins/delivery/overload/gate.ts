import type { Awaitable } from '../../../kernel/index.ts'
import type { ReadGate, ReadShape } from '../../entries/content/content.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ColdStart } from './cold-start.ts'
import type { Shedder } from './shedder.ts'

export interface GateOptions {
  readonly shedder: Shedder
  /** The cost in milliseconds from which a read counts as expensive. */
  readonly dearMs: () => number
  /** The present wait of reads, in milliseconds. */
  readonly waitMs: () => number
}

/** The weight of the latest read in the average cost of its shape. */
const weightOfLatest = 1 / 8

/** Learns the cost of reads, and refuses expensive ones of anonymous callers first. */
export class Gate implements ReadGate {
  /** The number of reads in progress. */
  reads = 0
  /** The number of statements that they run at present. */
  statements = 0
  readonly #options: GateOptions
  #coldStart: ColdStart | undefined

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Makes anonymous reads wait their turn during the cold start. */
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
    // Waiting time is not part of the cost.
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
