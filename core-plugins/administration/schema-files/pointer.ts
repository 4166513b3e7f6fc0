/**
 * The JSON pointer to what a dotted path names in a file. Names may have dots in them, so it is followed in the content;
 * what is not there, such as a key that is missing, is taken as it stands.
 */
export function pointerTo(at: string, content: unknown): string {
  const parts = at === '' ? [] : at.split('.')
  const segments: string[] = []
  let value = content
  while (parts.length > 0) {
    const length = longestKey(parts, value)
    const key = parts.splice(0, length).join('.')
    segments.push(key)
    value = isHolder(value) ? value[key] : undefined
  }
  return segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** How many parts the longest key has that they begin with. */
function longestKey(parts: readonly string[], value: unknown): number {
  if (!isHolder(value)) return 1
  for (let length = parts.length; length > 1; length -= 1) {
    if (Object.hasOwn(value, parts.slice(0, length).join('.'))) return length
  }
  return 1
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
