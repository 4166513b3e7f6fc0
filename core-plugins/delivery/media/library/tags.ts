/** Separates the tags of a file. */
export const separator = ', '

/** Normalises tags for storage: trimmed, without duplicates (ignoring case). Null if there are none. */
export function normaliseTags(written: string): string | null {
  const tags = written.split(',').map((tag) => tag.trim().replace(/\s+/g, ' '))
  const byName = new Map<string, string>()
  for (const tag of tags) {
    const name = tag.toLowerCase()
    if (tag !== '' && !byName.has(name)) byName.set(name, tag)
  }
  return byName.size === 0 ? null : [...byName.values()].join(separator)
}
