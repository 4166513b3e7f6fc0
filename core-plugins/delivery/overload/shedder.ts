import { Overloaded } from '../../foundation/http/http.ts'
import { rankOf, type ShedClass, shedClasses } from './pressure.ts'

export type ShedReason = 'overload' | 'start'

/** Several values, so that clients return at different times. */
const retrySeconds = [1, 2, 3] as const

/** Created once: under overload, a stack trace would cost more than the response. */
const refusals: Readonly<Record<ShedReason, readonly Overloaded[]>> = {
  overload: retrySeconds.map((seconds) => new Overloaded('the service has more to do than it can', seconds)),
  start: retrySeconds.map((seconds) => new Overloaded('the service has just started', seconds)),
}

/** The number of refused requests by class and reason. */
export interface ShedCount {
  readonly class: ShedClass
  readonly reason: ShedReason
  readonly count: number
}

/** Refuses requests according to the pressure, and counts them. */
export class Shedder {
  /** See `pressureAfter`. */
  pressure = 0
  total = 0
  readonly #owed = shedClasses.map(() => 0)
  readonly #counts = new Map<string, { class: ShedClass; reason: ShedReason; count: number }>()

  /** Refuses an even share of a class, according to the pressure. @throws Overloaded */
  pass(shedClass: ShedClass): void {
    const rank = rankOf[shedClass]
    const share = this.pressure - rank
    if (share <= 0) return
    const owed = (this.#owed[rank] ?? 0) + Math.min(1, share)
    this.#owed[rank] = owed >= 1 ? owed - 1 : owed
    if (owed >= 1) this.refuse(shedClass, 'overload')
  }

  /** @throws Overloaded */
  refuse(shedClass: ShedClass, reason: ShedReason): never {
    const key = `${shedClass} ${reason}`
    const counted = this.#counts.get(key) ?? { class: shedClass, reason, count: 0 }
    counted.count += 1
    this.#counts.set(key, counted)
    this.total += 1
    throw refusals[reason][Math.floor(Math.random() * retrySeconds.length)]
  }

  counts(): readonly ShedCount[] {
    return [...this.#counts.values()]
  }
}
