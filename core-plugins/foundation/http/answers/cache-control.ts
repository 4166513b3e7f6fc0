import type { Route } from '../routes/route.ts'
import type { HeaderLines } from '../servers/server-port.ts'

/**
 * For answers that are valid only now, or only for this caller: caches may store an answer without `cache-control`.
 */
export const notKept: HeaderLines = ['cache-control', 'no-store']

/** Only the client's own cache keeps the answer, and revalidates it by its ETag. */
const confirmed: HeaderLines = ['cache-control', 'private, no-cache']

/** The `cache-control` of a route's answers with an ETag, unless its handler or a labeller sets one. */
export const keptOf = ({ method, isProbe }: Route): HeaderLines =>
  method === 'GET' && isProbe !== true ? confirmed : notKept
