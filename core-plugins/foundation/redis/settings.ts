import { Type } from 'typebox'
import { defineSetting } from '../config/config.ts'

const urlRemedy =
  'write redis://host:6379, or rediss://user:password@host:6379/0 with TLS and a password, in which signs are escaped: % is %25, ' +
  '@ is %40, : is %3A, / is %2F, # is %23, ? is %3F'

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
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return /^rediss?:$/.test(protocol) && hostname !== '' && isEscaped(username + password)
}

/** The driver fails on an address with a plain % in its password. */
function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
