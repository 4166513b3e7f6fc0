import type { Redis as RedisConnection, RedisOptions } from 'ioredis'
import { type ServiceToken, service } from '../../kernel/index.ts'

export type { RedisConnection, RedisOptions }

/** The Redis that the processes of this service share, if there is one; decisions.md, 1. */
export interface Redis {
  /** True where REDIS_URL is set; says nothing of whether it answers. */
  readonly isConfigured: boolean
  /** REDIS_URL; may hold a password. Undefined where it is not set. */
  readonly url: string | undefined
  /** In front of every key and channel, such as `mortise:`, so that several services can share one Redis. */
  readonly keyPrefix: string
  /**
   * Makes a connection of the caller's own. It connects in the background and again whenever it is lost, for as
   * long as the service runs; outages are logged, and it is closed at the stop. Commands wait for the
   * connection unless `options` say otherwise.
   * @throws Error where Redis is not configured
   */
  connect(options?: RedisOptions): Promise<RedisConnection>
}

export const redisService: ServiceToken<Redis> = service('redis')
