import type { Redis as RedisConnection, RedisOptions } from 'ioredis'
import { type ServiceToken, service } from '../../kernel/index.ts'

export type { RedisConnection, RedisOptions }

/** The Redis shared by the processes of this service, if there is one; see docs/deployment.md. */
export interface Redis {
  /** True if REDIS_URL is set, whether or not Redis answers. */
  readonly isConfigured: boolean
  /** REDIS_URL; may hold a password. Undefined if not set. */
  readonly url: string | undefined
  /**
   * The prefix of every key and channel, such as `mortise:`, so that several services can share one Redis.
   */
  readonly keyPrefix: string
  /**
   * Creates a connection of the caller's own. It connects in the background, and reconnects whenever it is
   * lost, until the service stops; outages are logged, and it is closed at the stop. Commands wait for the
   * connection unless `options` disable that.
   * @throws Error if Redis is not configured
   */
  connect(options?: RedisOptions): Promise<RedisConnection>
}

export const redisService: ServiceToken<Redis> = service('redis')
