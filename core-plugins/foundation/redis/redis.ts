import type { Redis as RedisConnection, RedisOptions } from 'ioredis'
import { type Awaitable, type HookToken, hook, type ServiceToken, service } from '../../../kernel/index.ts'
import type { RedisNames } from './names.ts'
import type { RedisProblem } from './problems.ts'

export type { RedisConnection, RedisNames, RedisOptions, RedisProblem }

/** The Redis shared by the processes of this service, if there is one; see docs/redis.md. */
export interface Redis {
  /** True if REDIS_URL is set, whether or not that Redis can be used. */
  readonly isConfigured: boolean
  /** All keys and channels begin with these, so that several services can share one Redis. */
  readonly names: RedisNames
  /**
   * Calls `begin` whenever Redis was found to take the commands that the service needs, and what it has returned when
   * Redis has refused one since. Redis that cannot be reached for a while ends nothing: connections come back by themselves.
   * @returns a function that ends the use for good
   */
  use(begin: BeginUse): () => Promise<void>
}

/** Opens connections, and returns how to stop using them; they are closed by the caller. Neither throws. */
export type BeginUse = (connect: ConnectRedis) => () => Awaitable<void>

/**
 * Opens a connection, which is established in the background and re-established when it is lost. Commands wait for it unless
 * `options` disable that.
 */
export type ConnectRedis = (options?: RedisOptions) => RedisConnection

export const redisService: ServiceToken<Redis> = service('redis')

/** The problems with Redis have changed, or were found at the start. Empty if Redis is in use, or not configured. */
export const redisProblemsChanged: HookToken<{ readonly problems: readonly RedisProblem[] }> =
  hook('redis:problemsChanged')
