/** Most rows of one statement. Statements of every size are kept, so this limits their number, too. */
const maxRows = 50

/**
 * The longest statement in characters, for large rows: servers reject statements of more than a few
 * megabytes.
 */
const maxCharacters = 1_000_000

/** Splits rows into the portions that one statement each writes. */
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
