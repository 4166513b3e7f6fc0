import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import { maxQueryWeight, maxResponseBytes, maxResponseEntries } from './settings.ts'

/** The limits of one answer. */
export interface AnswerLimits {
  /** Entries, each counted once for every time it appears in the answer. */
  readonly maxEntries: number
  /** Bytes of JSON; a character outside ASCII counts as one. */
  readonly maxBytes: number
  /** The combined weight of the conditions in all its queries. */
  readonly maxWeight: number
}

/** 400: the request asks for more than one answer may hold. */
export class AnswerTooLarge extends AppError {
  constructor(detail: ErrorDetail) {
    super('VALIDATION_ERROR', `${detail.path}: ${detail.message}`, { details: [detail] })
  }
}

/** The query parameter that asks for entries, and the path inside it that leads to them. */
export interface AnswerPlace {
  readonly parameter: string
  readonly path?: string
}

/**
 * How much is left of an answer's limits. Entries are counted before they are added: a relation shared by many entries is loaded
 * once but written out with each of them.
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
   * @param count negative to give back what was reserved but not needed
   * @throws AnswerTooLarge naming the place, and the limit with its setting
   */
  takeEntries(count: number, place: AnswerPlace): void {
    this.#entriesLeft -= count
    if (this.#entriesLeft >= 0) return
    const { maxEntries } = this.#limits
    const much = `more than ${maxEntries} entries (${maxResponseEntries.key}), counting each as often as it is shown`
    throw tooLarge(place, 'maxEntries', much)
  }

  /** Like `takeEntries`. */
  takeBytes(count: number, place: AnswerPlace): void {
    this.#bytesLeft -= count
    if (this.#bytesLeft >= 0) return
    const { maxBytes } = this.#limits
    throw tooLarge(place, 'maxBytes', `more than ${maxBytes} bytes (${maxResponseBytes.key})`)
  }

  /** @throws AnswerTooLarge naming the limit with its setting */
  takeWeight(weight: number): void {
    this.#weightLeft -= weight
    if (this.#weightLeft >= 0) return
    const much = `conditions with a total weight of more than ${this.#limits.maxWeight} (${maxQueryWeight.key})`
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

/**
 * Estimates the size of a value as JSON in bytes; ignores escapes and the extra bytes of characters outside
 * ASCII.
 */
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
  // Mostly ids, possibly thousands of them.
  for (const item of list) bytes += 1 + (typeof item === 'number' ? numberBytes : jsonBytes(item))
  return bytes
}

function objectBytes(object: object): number {
  let bytes = 2
  // Database rows and parsed JSON inherit nothing, and `for in` allocates no list of names.
  for (const name in object) bytes += name.length + 4 + jsonBytes((object as Record<string, unknown>)[name])
  return bytes
}
