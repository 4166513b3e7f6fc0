/**
 * Converts the URL of a database server into the form that its driver takes; returns undefined unless it names a host
 * and a database.
 */
export function serverUrl(scheme: string, address: string): string | undefined {
  const url = `${scheme}:${address}`
  if (!URL.canParse(url)) return undefined
  const { hostname, pathname, searchParams } = new URL(url)
  const hasHost = hostname !== '' || searchParams.has('host')
  return hasHost && pathname.length > 1 ? url : undefined
}
