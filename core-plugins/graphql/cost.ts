import { refuseRule } from './errors.ts'

/** What a statement counts, in values. */
export const statementCost = 100

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
      const rule = `costs more than ${limit}; ask for fewer entries, relations or fields at a time`
      throw refuseRule('cost', rule)
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
