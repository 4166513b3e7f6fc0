import type { HeaderLines } from '../servers/server-port.ts'

/** What pages of other origins may do. */
export interface CorsPolicy {
  /** Whether pages of that origin may call. */
  allows(origin: string): boolean
  /**
   * Headers for the answer to any request: from that origin, or without one. Caches pass an answer on to other
   * clients, so it needs these headers even when its first client ignores them.
   */
  headersFor(origin: string | undefined): HeaderLines | undefined
  /**
   * Additional headers for the answer to a preflight; `wanted` are the headers that the browser asks to send.
   */
  preflightHeadersFor(origin: string, wanted: string | undefined): HeaderLines
}

/** Response headers that a page may read in addition to the safelisted ones. */
const exposed =
  'etag, x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, www-authenticate'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'

const secondsToRemember = '600'

/** Caches must not give one origin the answer made for another. */
const byOrigin: HeaderLines = ['vary', 'origin']

const none: HeaderLines = []

/** Never with credentials: browsers send no cookies along, tokens go in a header. */
export function compileCors(origins: readonly string[]): CorsPolicy {
  if (origins.includes('*')) {
    const headers = allowing('*')
    return {
      allows: () => true,
      headersFor: () => headers,
      preflightHeadersFor: (_, wanted) => preflightHeaders(wanted),
    }
  }
  const ofNoPage = origins.length === 0 ? undefined : byOrigin
  const allowed = new Map(origins.map(withoutSlash).map((name) => [name, [...byOrigin, ...allowing(name)]]))
  return {
    allows: (origin) => allowed.has(origin),
    headersFor: (origin) => (origin === undefined ? ofNoPage : (allowed.get(origin) ?? byOrigin)),
    preflightHeadersFor: (origin, wanted) => (allowed.has(origin) ? preflightHeaders(wanted) : none),
  }
}

/** Browsers send origins without the trailing slash that their address bar shows. */
function withoutSlash(origin: string): string {
  return origin.replace(/\/$/, '')
}

function allowing(origin: string): HeaderLines {
  return ['access-control-allow-origin', origin, 'access-control-expose-headers', exposed]
}

/** Any header may be sent: only the origin decides. */
function preflightHeaders(wanted: string | undefined): HeaderLines {
  const names = wanted !== undefined && /^[\w, -]+$/.test(wanted) ? wanted : 'authorization, content-type'
  return [
    ...['access-control-allow-methods', methods],
    ...['access-control-allow-headers', names],
    ...['access-control-max-age', secondsToRemember],
  ]
}
