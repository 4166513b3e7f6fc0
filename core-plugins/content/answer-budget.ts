import { AppError, type ErrorDetail } from '../http/http.ts'
import { maxQueryWeight, maxResponseBytes, maxResponseEntries } from './settings.ts'

/** What one answer may hold. */
export interface AnswerLimits {
  /** Entries, each counted as often as it stands in the answer. */
  readonly maxEntries: number
  /** Bytes of JSON; a character outside of ASCII is reckoned as one. */
  readonly maxBytes: number
  /** Of the conditions of all its queries. */
  readonly maxWeight: number
}

/** 400: what is asked for is more than one answer may hold. */
export class AnswerTooLarge extends AppError {
  constructor(detail: ErrorDetail) {
    super('VALIDATION_ERROR', `${detail.path}: ${detail.message}`, { details: [detail] })
  }
}

/** What asked for entries: a parameter of the query, and in it the path that leads to them. */
export interface AnswerPlace {
  readonly parameter: string
  readonly path?: string
}

/**
 * What is left for an answer. Whoever puts entries into it counts them first: a relation that many entries share is
 * loaded once, but written out with each of them.
 */
export class AnswerBudget {
  readonly #limits: AnswerLimits
  #entriesLeft: number
  #bytesLeft: number
  #weightLeft: number

  constructor(limits: AnswerLimits) {
    this.#limits = limits
    this.#entriesLeft = limits.maxEntries
    this.#bytesLeft = limits.maxBytes
    this.#weightLeft = limits.maxWeight
  }

  get entriesLeft(): number {
    return this.#entriesLeft
  }

  /**
   * @param count below 0: gives back what was taken ahead and not needed
   * @throws AnswerTooLarge that names the place, and the limit with its setting
   */
  takeEntries(count: number, place: AnswerPlace): void {
    this.#entriesLeft -= count
    if (this.#entriesLeft >= 0) return
    const { maxEntries } = this.#limits
    const much = `more than ${maxEntries} entries (${maxResponseEntries.key}), counting each as often as it is shown`
    throw tooLarge(place, 'maxEntries', much)
  }

  /** As `takeEntries`. */
  takeBytes(count: number, place: AnswerPlace): void {
    this.#bytesLeft -= count
    if (this.#bytesLeft >= 0) return
    const { maxBytes } = this.#limits
    throw tooLarge(place, 'maxBytes', `more than ${maxBytes} bytes (${maxResponseBytes.key})`)
  }

  /** @throws AnswerTooLarge that names the limit with its setting */
  takeWeight(weight: number): void {
    this.#weightLeft -= weight
    if (this.#weightLeft >= 0) return
    const much = `conditions that weigh more than ${this.#limits.maxWeight} together (${maxQueryWeight.key})`
    throw new AnswerTooLarge({
      path: 'filters',
      code: 'maxWeight',
      message: `the request has ${much}; ask for less at a time`,
    })
  }
}

function tooLarge({ parameter, path }: AnswerPlace, code: string, much: string): AnswerTooLarge {
  const where = path === undefined ? '' : `${path}: `
  const message = `${where}the answer would have ${much}; ask for less at a time`
  return new AnswerTooLarge({ path: parameter, code, message })
}

const numberBytes = 8

/** How many bytes a value takes as JSON, reckoned: what escapes and characters outside of ASCII add is left out. */
export function jsonBytes(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2
    case 'number':
      return numberBytes
    case 'object':
      return value === null ? 4 : Array.isArray(value) ? listBytes(value) : objectBytes(value)
    default:
      return 5
  }
}

function listBytes(list: readonly unknown[]): number {
  let bytes = 2
  // Ids, mostly, and maybe thousands of them.
  for (const item of list) bytes += 1 + (typeof item === 'number' ? numberBytes : jsonBytes(item))
  return bytes
}

function objectBytes(object: object): number {
  let bytes = 2
  // Rows of a database and parsed JSON inherit nothing, and no list of the names has to be made.
  for (const name in object) bytes += name.length + 4 + jsonBytes((object as Record<string, unknown>)[name])
  return bytes
}
