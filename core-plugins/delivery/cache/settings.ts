import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const maxStalenessMs = defineSetting(
  'cache.maxStalenessMs',
  Type.Integer({
    tier: 'runtime',
    default: 1_000,
    minimum: 0,
    maximum: 60_000,
    title: 'Oldest look at the change log',
    description:
      'For how many milliseconds an answer may be wrong after another process has written; 0: never, at the cost of a small query',
  }),
)

export const staleIfDown = defineSetting(
  'cache.staleIfDown',
  Type.Integer({
    tier: 'runtime',
    default: 60,
    minimum: 0,
    maximum: 86_400,
    title: 'Answers while the database is away',
    description:
      'For how many seconds callers without credentials are answered from memory while the database does not answer; 0: not at all',
  }),
)

export const maxBytes = defineSetting(
  'cache.maxBytes',
  Type.Integer({
    tier: 'runtime',
    default: 64 * 1024 * 1024,
    minimum: 0,
    maximum: 16 * 1024 ** 3,
    title: 'Memory for kept answers',
    description: 'In bytes and per process; 0 keeps none. A change takes effect at the next start',
  }),
)

export const statusHeader = defineSetting(
  'cache.statusHeader',
  Type.Boolean({
    tier: 'runtime',
    default: true,
    title: 'Tell what the cache did',
    description: 'Sends Cache-Status (RFC 9211) and Mortise-Position with answers that could be kept',
  }),
)

export const auditEvery = defineSetting(
  'cache.auditEvery',
  Type.Integer({
    tier: 'runtime',
    default: 10_000,
    minimum: 0,
    maximum: 1_000_000_000,
    title: 'Check of kept answers',
    description: 'One in so many answers from memory is read anew and compared; 0 checks none',
  }),
)
