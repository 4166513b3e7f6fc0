/** The form in which texts and attachments name the same file: only the path, because schemes and hosts change. */
export const filePath = (pathname: string) => decodedUri(pathname)

/** Decodes percent-encoding; returns the text unchanged if it is malformed. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const withoutWww = (host: string) => host.replace(/^www\./, '')

/** The path in an address that may belong to a file of the site; undefined for other addresses. */
export function pathOfAddress(address: string, hosts: ReadonlySet<string>): string | undefined {
  const [, host, path] =
    /^(?:(?:https?:)?\/\/([^/]+))?(\/[^?#]*\.[A-Za-z0-9]{2,5})(?:[?#]|$)/.exec(address) ?? []
  if (path === undefined) return undefined
  return host === undefined || hosts.has(withoutWww(host.toLowerCase())) ? filePath(path) : undefined
}

/** Where the file may be stored: as named, without a size suffix (`-300x200`), or as the `-scaled` copy of an oversized original. */
export function pathCandidates(path: string): readonly string[] {
  const original = path.replace(/-\d{1,5}x\d{1,5}(\.[A-Za-z0-9]+)$/, '$1')
  return [path, original, original.replace(/(\.[A-Za-z0-9]+)$/, '-scaled$1')]
}
