/**
 * A name under which files are served, whatever stands before it: addresses change with `storage.baseUrl`, names do not, and
 * nobody guesses one. It begins a word, so that a long text is gone through once.
 */
const namePattern = /\b[0-9a-f]{32}(?:_[a-z]{1,30})?\.[a-z0-9]{1,16}/g

/** In an address within an address: `/image?url=%2Fapi%2Fuploads%2F…`. */
const encodedSlash = /%2f/gi

/** The shortest name has 34 characters. */
const shortest = 34

/** The names of files in a value of a text or JSON, each once. */
export function keysInText(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length < shortest) return []
  const readable = text.includes('%2') ? text.replaceAll(encodedSlash, '/') : text
  return [...new Set(readable.match(namePattern))]
}
