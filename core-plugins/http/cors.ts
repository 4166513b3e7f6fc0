import type { HeaderLines } from './server-port.ts'

/** What pages of other origins may do. */
export interface CorsPolicy {
  /** Headers for the answer to a request of that origin; the same for every request of one origin. */
  headersFor(origin: string): HeaderLines
}

/** Response headers that a page may read besides the harmless ones. */
const exposed = 'etag, x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset'

/** What a page may send, if its origin is allowed. */
export const preflightHeaders: HeaderLines = [
  'access-control-allow-methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers',
  'authorization, content-type, if-match, if-none-match, x-request-id',
  'access-control-max-age',
  '600',
]

/** Without credentials in any case: browsers send no cookies along, tokens go in a header. */
export function compileCors(origins: readonly string[]): CorsPolicy {
  if (origins.includes('*')) {
    const headers = ['access-control-allow-origin', '*', 'access-control-expose-headers', exposed]
    return { headersFor: () => headers }
  }
  const allowed = new Map(origins.map((origin) => [origin.replace(/\/$/, ''), headersOf(origin)]))
  return { headersFor: (origin) => allowed.get(origin) ?? refusal }
}

/** Caches must not give one origin the answer made for another. */
const refusal: HeaderLines = ['vary', 'origin']

function headersOf(origin: string): HeaderLines {
  const name = origin.replace(/\/$/, '')
  return [...refusal, 'access-control-allow-origin', name, 'access-control-expose-headers', exposed]
}
