/** How texts and attachments name the same file: schemes and hosts change, paths stay. */
export const filePath = (pathname: string) => decodedUri(pathname)

/** As it is where it is not encoded rightly. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const withoutWww = (host: string) => host.replace(/^www\./, '')

/** The path of an address that may lead to a file of the site; undefined for other addresses. */
export function pathOfAddress(address: string, hosts: ReadonlySet<string>): string | undefined {
  const [, host, path] =
    /^(?:(?:https?:)?\/\/([^/]+))?(\/[^?#]*\.[A-Za-z0-9]{2,5})(?:[?#]|$)/.exec(address) ?? []
  if (path === undefined) return undefined
  return host === undefined || hosts.has(withoutWww(host.toLowerCase())) ? filePath(path) : undefined
}

/** The file itself, the one that a smaller size was made of, and what WordPress has made of one that was too large. */
export function pathCandidates(path: string): readonly string[] {
  const original = path.replace(/-\d{1,5}x\d{1,5}(\.[A-Za-z0-9]+)$/, '$1')
  return [path, original, original.replace(/(\.[A-Za-z0-9]+)$/, '-scaled$1')]
}
