import type { Route } from '../routes/route.ts'
import type { HeaderLines } from '../servers/server-port.ts'

/** For what is right only now, or only for whoever asked: caches on the way keep by themselves what says nothing. */
export const notKept: HeaderLines = ['cache-control', 'no-store']

/** Only whoever asked keeps it, and asks by its ETag whether it is still right. */
const confirmed: HeaderLines = ['cache-control', 'private, no-cache']

/** What a route's answers with an ETag tell caches, unless its handler or a labeller knows better. */
export const keptOf = ({ method, isProbe }: Route): HeaderLines =>
  method === 'GET' && isProbe !== true ? confirmed : notKept
