import { definePlugin } from '../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { rateLimitStores } from '../http/http.ts'
import { createRedisConnections } from './connections.ts'
import { createRateLimitStore } from './rate-limit-store.ts'
import { redisService } from './redis.ts'
import { redisKeyPrefix, redisSettings, redisUrl } from './settings.ts'

/** Connections to Redis for plugins that use one, and a rate limit across all processes. */
export const redisPlugin = definePlugin({
  name: 'redis',
  description:
    'Connects to Redis if REDIS_URL is set, and counts requests across all processes for the rate limit',
  uses: { config: configService },
  provides: [redisService],

  register({ contribute }) {
    for (const setting of redisSettings) contribute(settings, setting)
  },

  async init({ services: { config }, provide, contribute, onDispose, log }) {
    const redis = createRedisConnections({
      url: config.get(redisUrl),
      keyPrefix: config.get(redisKeyPrefix),
      log,
    })
    onDispose(() => redis.close())
    provide(redisService, redis)
    if (redis.isConfigured) contribute(rateLimitStores, await createRateLimitStore(redis))
  },
})
