/** Rows of one statement. The statements of all sizes are kept, so it bounds those too. */
const maxRows = 50

/** The largest statement in characters, where rows are large: servers refuse those of more than some megabytes. */
const maxCharacters = 1_000_000

/** The rows by the statements that write them. */
export function portionsOf<R extends object>(rows: readonly R[]): R[][] {
  const portions: R[][] = []
  let characters = Infinity
  for (const row of rows) {
    const size = sizeOf(row)
    const last = portions.at(-1)
    if (last !== undefined && last.length < maxRows && characters + size <= maxCharacters) {
      last.push(row)
      characters += size
    } else {
      portions.push([row])
      characters = size
    }
  }
  return portions
}

function sizeOf(row: object): number {
  let size = 0
  for (const value of Object.values(row)) if (typeof value === 'string') size += value.length
  return size
}
