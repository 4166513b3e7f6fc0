/**
 * Addresses of files are paths of the service, unless it has a CDN in front of them. `service` has no slash at its end.
 */
export function absoluteAddress(url: string, service: string): string {
  return /^\/(?!\/)/.test(url) ? service + url : url
}
