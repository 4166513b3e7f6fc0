import { Type } from 'typebox'
import { defineSetting } from '../config/config.ts'

const urlRemedy = 'write redis://host:6379, or rediss://user:password@host:6379/0 with TLS and a password'

export const redisUrl = defineSetting(
  'redis.url',
  Type.String({
    env: 'REDIS_URL',
    // It may hold a password.
    tier: 'secret',
    default: '',
    title: 'Redis',
    description: 'The Redis that the processes share for jobs, signals and rate limits; optional.',
  }),
  (value) => {
    if (value === '' || isRedisUrl(value)) return undefined
    return { severity: 'fatal', message: 'is not the address of a Redis', remedy: urlRemedy }
  },
)

export const redisKeyPrefix = defineSetting(
  'redis.keyPrefix',
  Type.String({
    tier: 'infrastructure',
    default: 'mortise:',
    title: 'Prefix in Redis',
    description: 'In front of all keys and channels; another one for each service that shares the Redis.',
  }),
)

export const redisSettings = [redisUrl, redisKeyPrefix]

function isRedisUrl(text: string): boolean {
  return URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ''
}
