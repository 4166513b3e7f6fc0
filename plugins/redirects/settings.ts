import { defineSetting, Type } from 'mortise/plugin'

export const cacheSeconds = defineSetting(
  'redirects.cacheSeconds',
  Type.Integer({
    tier: 'runtime',
    default: 3_600,
    minimum: 0,
    maximum: 31_536_000,
    title: 'Time to keep a redirect',
    description:
      'How long browsers and proxies may keep a permanent redirect, in seconds; without a limit they would never ask again.',
  }),
)
