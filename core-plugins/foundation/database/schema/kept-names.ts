/** As many rows as one statement inserts. */
const maxIndex = 50
/** Most names that are kept of an index. */
const maxNames = 5_000

/**
 * Names that are put together from a name and an index, kept because the same ones come with every row: a string that is
 * made anew is hashed anew wherever it is looked up.
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
