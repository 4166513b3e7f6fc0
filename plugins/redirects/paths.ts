/** How a path is compared: decoded, without a slash at the end. Undefined if it is no path of a request. */
export function pathKey(path: string): string | undefined {
  const decoded = decode(path)
  if (decoded === undefined || !decoded.startsWith('/') || /[\p{Cc}?#\\]/u.test(decoded)) return undefined
  if (decoded === '/') return decoded
  const segments = decoded.slice(1).split('/')
  if (segments.at(-1) === '') segments.pop()
  return segments.every((segment) => !['', '.', '..'].includes(segment))
    ? `/${segments.join('/')}`
    : undefined
}

/** A target as a Location may have it; undefined if control characters are in it. */
export function encodedTarget(target: string): string | undefined {
  const text = target.trim()
  if (/\p{Cc}/u.test(text)) return undefined
  try {
    return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
  } catch {
    // Half of a pair of code units.
    return undefined
  }
}

/** The key of the path that a target of this origin leads to; undefined for other origins. */
export function targetKey(target: string): string | undefined {
  return target.startsWith('/') ? pathKey(target.replace(/[?#].*$/, '')) : undefined
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
