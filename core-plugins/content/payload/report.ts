import { AppError, type ErrorDetail } from '../../http/http.ts'
import type { MediaAttribute, RelationAttribute } from '../../schemas/schemas.ts'
import { targetNameOf } from '../entry-model.ts'

/** An id in a payload that must be one of an existing entry. */
export interface PayloadReference {
  readonly id: number
  readonly path: string
  /** The field that names it, of the type or of a component. */
  readonly attribute: RelationAttribute | MediaAttribute
}

/** Checks a value that is neither null nor undefined, and answers it in the form in which it is stored. */
export type ValueCheck = (value: unknown, report: PayloadReport) => unknown

/** No more than this many problems are told, so that a small hostile request has no huge answer. */
export const maxProblems = 200

/** No write names more entries than this: each of them is looked up, linked and recorded. */
export const maxReferences = 10_000

/** No write has more attributes in its components than this: even those that are not sent are stored and answered. */
export const maxComponentValues = 200_000

/** Field names are the client's own words: what is repeated of them in an answer is kept short. */
const maxShownLength = 100

const noReferences: ReadonlyMap<string, readonly PayloadReference[]> = new Map()

/** Gathers the problems and the references of one payload while its values are checked. */
export class PayloadReport {
  readonly #place: (string | number)[] = []
  readonly #problems: ErrorDetail[] = []
  #references: Map<string, PayloadReference[]> | undefined
  #referenceCount = 0
  #componentValueCount = 0
  #now: string | undefined

  constructor(now?: string) {
    this.#now = now
  }

  /** The moment of the write, ISO 8601. */
  get now(): string {
    this.#now ??= new Date().toISOString()
    return this.#now
  }

  /** How many objects and arrays are around the present place, within the value of its column. */
  get depth(): number {
    return this.#place.length - 1
  }

  get problems(): readonly ErrorDetail[] {
    return this.#problems
  }

  get references(): ReadonlyMap<string, readonly PayloadReference[]> {
    return this.#references ?? noReferences
  }

  /** Goes to a member or item of the present place; everything told from now on is about that. */
  enter(segment: string | number): void {
    this.#place.push(segment)
  }

  leave(): void {
    this.#place.pop()
  }

  /** @throws AppError with all problems so far, once there are too many to go on */
  problem(code: string, message: string): void {
    this.#problems.push({ path: this.#path(), code, message })
    if (this.#problems.length >= maxProblems) this.throwIfInvalid()
  }

  problemAt(segment: string | number, code: string, message: string): void {
    this.enter(segment)
    this.problem(code, message)
    this.leave()
  }

  /**
   * Notes that the present place names an entry.
   * @throws AppError with all problems so far, once there are too many entries to go on
   */
  refer(attribute: RelationAttribute | MediaAttribute, id: number): void {
    this.#referenceCount++
    if (this.#referenceCount > maxReferences) {
      this.problem('maxReferences', `names more entries than one write may, which is ${maxReferences}`)
      this.throwIfInvalid()
    }
    this.#references ??= new Map()
    const target = targetNameOf(attribute)
    const known = this.#references.get(target)
    const reference = { id, path: this.#path(), attribute }
    if (known === undefined) this.#references.set(target, [reference])
    else known.push(reference)
  }

  /**
   * Notes that the present place is a component with so many attributes.
   * @throws AppError with all problems so far, once there are too many of them to go on
   */
  holdComponent(attributeCount: number): void {
    this.#componentValueCount += attributeCount
    if (this.#componentValueCount <= maxComponentValues) return
    const message = `has more attributes in its components than one write may have, which is ${maxComponentValues}`
    this.problem('maxComponentValues', message)
    this.throwIfInvalid()
  }

  /** @throws AppError 400 with all problems, if there are any */
  throwIfInvalid(): void {
    if (this.#problems.length > 0) throw AppError.invalid(this.#problems)
  }

  #path(): string {
    const [first] = this.#place
    if (this.#place.length === 1) return shorten(String(first))
    return this.#place.map((segment) => shorten(String(segment))).join('.')
  }
}

function shorten(segment: string): string {
  return segment.length <= maxShownLength ? segment : `${segment.slice(0, maxShownLength)}…`
}
