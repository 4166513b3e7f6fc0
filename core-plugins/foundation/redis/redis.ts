import type { Redis as RedisConnection, RedisOptions } from 'ioredis'
import { type Awaitable, type HookToken, hook, type ServiceToken, service } from '../../../kernel/index.ts'
import type { RedisNames } from './names.ts'
import type { RedisProblem } from './problems.ts'

export type { RedisConnection, RedisNames, RedisOptions, RedisProblem }

/** The Redis shared by the processes of this service, if one is configured; see docs/redis.md. */
export interface Redis {
  /** True if REDIS_URL is set, even if that Redis cannot be used. */
  readonly isConfigured: boolean
  /** The prefixes of all keys and channels, so that several services can share one Redis. */
  readonly names: RedisNames
  /**
   * Calls `begin` whenever Redis turns out to accept the commands that the service needs, and the function that it
   * returned when Redis has since refused one. An outage does not end the use: connections are re-established by
   * themselves.
   * @returns a function that ends the use for good
   */
  use(begin: BeginUse): () => Promise<void>
}

/** Opens connections, and returns a function that stops their use; the caller closes them. Neither throws. */
export type BeginUse = (connect: ConnectRedis) => () => Awaitable<void>

/**
 * Opens a connection, which is established in the background and re-established when it is lost. Commands wait for it unless
 * `options` disable that.
 */
export type ConnectRedis = (options?: RedisOptions) => RedisConnection

export const redisService: ServiceToken<Redis> = service('redis')

/** The problems with Redis have changed, or were found at the start. Empty if Redis is in use or not configured. */
export const redisProblemsChanged: HookToken<{ readonly problems: readonly RedisProblem[] }> =
  hook('redis:problemsChanged')
