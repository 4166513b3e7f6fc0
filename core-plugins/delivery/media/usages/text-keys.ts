/**
 * A served file name, without the address before it: addresses change with `storage.baseUrl`, names do not, and they cannot be
 * guessed. Starts at a word boundary, so that a long text is scanned only once.
 */
const namePattern = /\b[0-9a-f]{32}(?:_[a-z]{1,30})?\.[a-z0-9]{1,16}/g

/** An encoded slash in a nested address: `/image?url=%2Fapi%2Fuploads%2F…`. */
const encodedSlash = /%2f/gi

/** The minimum length of a name. */
const shortest = 34

/** The distinct file names in a text or JSON value. */
export function keysInText(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length < shortest) return []
  const readable = text.includes('%2') ? text.replaceAll(encodedSlash, '/') : text
  return [...new Set(readable.match(namePattern))]
}
