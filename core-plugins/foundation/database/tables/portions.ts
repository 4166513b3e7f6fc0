/**
 * Maximum number of rows of one statement. A statement is cached for every number of rows, so this limits these, too.
 */
const maxRows = 50

/**
 * The longest statement in characters, for large rows: servers reject statements of more than a few
 * megabytes.
 */
const maxCharacters = 1_000_000

/** Splits rows into portions, each of which is written by one statement. */
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
