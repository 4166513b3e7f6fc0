/**
 * Converts a dotted path in a file to a JSON pointer. Keys may contain dots, so the path is resolved within the content; the
 * part that does not exist in the content is split at its dots.
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

/** The number of parts of the longest existing key at the beginning of `parts`. */
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
