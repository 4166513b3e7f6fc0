import { type AnswerBudget, AnswerTooLarge } from '../../../entries/content/content.ts'
import { refuseRule } from '../errors.ts'
import type { CountValues } from './projection.ts'

/** What a statement counts, in values. */
export const statementCost = 100

/** What an entry counts that is written with many others by one statement. */
export const writtenEntryCost = 10

/** How many entries or items are reckoned with where nothing says how many there are. */
export const assumedItems = 5

/** The same for the inverse side of a relation, which grows without anybody looking at it. */
export const assumedInverseEntries = 20

/** Adds up what an operation may cost, in values answered; refuses it as soon as that is too much. */
export interface Cost {
  readonly total: number
  /** @throws RefusedRequest 400 */
  add(values: number): void
  /** Of several that exclude one another, only the dearest counts. */
  dearest(alternatives: readonly (() => void)[]): void
}

export function createCost(limit: number): Cost {
  let total = 0
  const add = (values: number) => {
    total += values
    if (total > limit) {
      throw refuseRule('cost', tooDear(limit))
    }
  }
  return {
    get total() {
      return total
    },
    add,
    dearest(alternatives) {
      const before = total
      let most = before
      for (const alternative of alternatives) {
        total = before
        alternative()
        most = Math.max(most, total)
      }
      total = most
    },
  }
}

/**
 * Counts what an operation really answers: relations may hold more than was reckoned with, and a value may be asked for
 * under many names.
 */
export function createValueCount(maxCost: number, budget: AnswerBudget): CountValues {
  let total = 0
  return (values, bytes) => {
    total += values
    if (total > maxCost) throw new AnswerTooLarge({ path: 'query', code: 'cost', message: tooDear(maxCost) })
    budget.takeBytes(bytes, { parameter: 'query' })
  }
}

function tooDear(limit: number): string {
  return `costs more than ${limit} (api.graphql.maxCost); ask for fewer entries, relations or fields at a time`
}
