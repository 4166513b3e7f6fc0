/** The maximum number of rows of an insert. */
const maxIndex = 50
/** The maximum number of names that are kept per index. */
const maxNames = 5_000

/**
 * Names combined from a name and an index. They are cached because the same ones are needed for every row: a newly
 * built string has to be hashed for each look-up.
 */
export function keptNames(
  make: (name: string, index: number) => string,
): (name: string, index: number) => string {
  const kept: Map<string, string>[] = []
  return (name, index) => {
    if (index >= maxIndex) return make(name, index)
    let names = kept[index]
    if (names === undefined) {
      names = new Map()
      kept[index] = names
    }
    let found = names.get(name)
    if (found === undefined) {
      found = make(name, index)
      if (names.size < maxNames) names.set(name, found)
    }
    return found
  }
}
