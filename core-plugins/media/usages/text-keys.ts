/**
 * A name under which files are served, whatever stands before it: addresses change with `storage.baseUrl`, names do not, and
 * nobody guesses one.
 */
const namePattern = /(?<![0-9a-f])[0-9a-f]{32}(?:_[a-z]+)?\.[a-z0-9]{1,16}/g

/** The shortest name has 34 characters. */
const shortest = 34

/** The names of files in a value of a text or JSON, each once. */
export function keysInText(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length < shortest) return []
  return [...new Set(text.match(namePattern))]
}
