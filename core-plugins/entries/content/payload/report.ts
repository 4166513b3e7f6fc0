import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import {
  type ReferenceAttribute,
  targetNameOf,
  type ValueReport,
} from '../../../foundation/schemas/schemas.ts'

/** An id in a payload that must belong to an existing entry. */
export interface PayloadReference {
  readonly id: number
  readonly path: string
  /** The field of the type or component that contains it. */
  readonly attribute: ReferenceAttribute
}

/** Checks the value sent for a field, never null or undefined, and returns it in stored form. */
export type FieldCheck = (value: unknown, report: PayloadReport) => unknown

/** The limit of reported problems, so that a small hostile request cannot cause a huge response. */
export const maxProblems = 200

/** The limit of entries that one write may refer to: each of them is looked up, linked and recorded. */
export const maxReferences = 10_000

/**
 * The limit of attributes in the components of one write: even those that are not sent are stored and
 * returned.
 */
export const maxComponentValues = 200_000

/** Field names are chosen by the client, so errors repeat only the first characters of them. */
const maxShownLength = 100

const noReferences: ReadonlyMap<string, readonly PayloadReference[]> = new Map()

/** The codes of problems that a draft may have. */
export const waivedInDrafts: ReadonlySet<string> = new Set(['required', 'min', 'minLength'])

export interface ReportOptions {
  /** The time of the write, ISO 8601. */
  readonly now?: string | undefined
  /** Problems with these codes are ignored. */
  readonly waived?: ReadonlySet<string> | undefined
}

/** Collects the problems and references of one payload while its values are checked. */
export class PayloadReport implements ValueReport {
  readonly #place: (string | number)[] = []
  readonly #problems: ErrorDetail[] = []
  #references: Map<string, PayloadReference[]> | undefined
  #referenceCount = 0
  #componentValueCount = 0
  readonly #waived: ReadonlySet<string> | undefined
  #now: string | undefined

  constructor({ now, waived }: ReportOptions = {}) {
    this.#now = now
    this.#waived = waived
  }

  /** The time of the write, ISO 8601. */
  get now(): string {
    this.#now ??= new Date().toISOString()
    return this.#now
  }

  /** How many objects and arrays enclose the current place, within the value of its column. */
  get depth(): number {
    return this.#place.length - 1
  }

  get problems(): readonly ErrorDetail[] {
    return this.#problems
  }

  get references(): ReadonlyMap<string, readonly PayloadReference[]> {
    return this.#references ?? noReferences
  }

  /** Enters a member or item of the current place; later reports concern it. */
  enter(segment: string | number): void {
    this.#place.push(segment)
  }

  leave(): void {
    this.#place.pop()
  }

  /** @throws AppError with all problems so far, once there are too many */
  problem(code: string, message: string): void {
    if (this.#waived?.has(code) === true) return
    this.#problems.push({ path: this.#path(), code, message })
    if (this.#problems.length >= maxProblems) this.throwIfInvalid()
  }

  problemAt(segment: string | number, code: string, message: string): void {
    this.enter(segment)
    this.problem(code, message)
    this.leave()
  }

  /**
   * Records that the current place refers to an entry.
   * @throws AppError with all problems so far, once there are too many references
   */
  refer(attribute: ReferenceAttribute, id: number): void {
    this.#referenceCount++
    if (this.#referenceCount > maxReferences) {
      this.problem('maxReferences', `refers to more than ${maxReferences} entries, the maximum for one write`)
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
   * Records that the current place is a component with `attributeCount` attributes.
   * @throws AppError with all problems so far, once there are too many of them
   */
  holdComponent(attributeCount: number): void {
    this.#componentValueCount += attributeCount
    if (this.#componentValueCount <= maxComponentValues) return
    const message = `has more than ${maxComponentValues} attributes in its components, the maximum for one write`
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
