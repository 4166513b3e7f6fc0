import { type AnswerBudget, AnswerTooLarge } from '../../../entries/content/content.ts'
import { refuseRule } from '../errors.ts'
import type { CountValues } from './projection.ts'

/** The cost of a statement, in values. */
export const statementCost = 100

/** The cost of each entry that one statement writes together with others. */
export const writtenEntryCost = 10

/** The assumed number of entries or items if nothing limits it. */
export const assumedItems = 5

/** The assumed number on the inverse side of a relation, which tends to grow unnoticed. */
export const assumedInverseEntries = 20

/** Adds up the estimated cost of an operation in values, and refuses it as soon as that is too much. */
export interface Cost {
  readonly total: number
  /** @throws RefusedRequest 400 */
  add(values: number): void
  /** Of mutually exclusive alternatives, counts only the most expensive one. */
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
 * Counts the values that an operation really returns, since relations may contain more than estimated, and a value may be
 * requested under many names.
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
