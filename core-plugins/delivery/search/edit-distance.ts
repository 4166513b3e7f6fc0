/**
 * The number of letters to add, omit, replace or swap with their neighbour to turn the first word into the second. A wrong
 * first letter counts twice, since such typos are rare.
 */
export function typosBetween(from: readonly string[], to: readonly string[]): number {
  return (distances(from, to).at(-1) ?? 0) + firstLetterTypo(from, to)
}

/** The length of the shortest prefix of `to` with at most `most` typos, in letters; undefined if there is none. */
export function beginningWithTypos(
  from: readonly string[],
  to: readonly string[],
  most: number,
): number | undefined {
  const left = most - firstLetterTypo(from, to)
  const length = distances(from, to).findIndex(
    (distance, index) => distance <= left && !isBeginning(to.slice(0, index), from),
  )
  return length === -1 ? undefined : length
}

/** A prefix that is merely shorter would match too many words. */
function isBeginning(part: readonly string[], whole: readonly string[]): boolean {
  return part.length <= whole.length && part.every((letter, index) => whole[index] === letter)
}

function firstLetterTypo([one]: readonly string[], [other]: readonly string[]): number {
  return one === other ? 0 : 1
}

/** The distances from the first word to each prefix of the second: optimal string alignment, row by row. */
function distances(from: readonly string[], to: readonly string[]): number[] {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last
}
