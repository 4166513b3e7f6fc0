import { appStart, definePlugin } from '../../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { rateLimitStores } from '../http/http.ts'
import { createRedisKeeper } from './keeper.ts'
import { createRateLimitStore } from './rate-limit-store.ts'
import { type RedisProblem, redisProblemsChanged, redisService } from './redis.ts'
import { redisKeyPrefix, redisSettings, redisUrl } from './settings.ts'

/** How long the start waits for Redis, so that it counts the first requests too. */
const longestWaitMs = 1_000

/** Connections to Redis for plugins that use one, and a rate limit across all processes. */
export const redisPlugin = definePlugin({
  name: 'redis',
  description:
    'Connects to Redis if REDIS_URL is set, and counts requests across all processes for the rate limit',
  uses: { config: configService },
  provides: [redisService],
  hooks: [redisProblemsChanged],

  register({ contribute }) {
    for (const setting of redisSettings) contribute(settings, setting)
  },

  init({ services: { config }, provide, contribute, emit, on, onDispose, log }) {
    let isStarted = false
    let known: readonly RedisProblem[] | undefined
    const redis = createRedisKeeper({
      url: config.get(redisUrl),
      keyPrefix: config.get(redisKeyPrefix),
      log,
      onProblems(problems) {
        known = problems
        if (isStarted) void emit(redisProblemsChanged, { problems })
      },
    })
    onDispose(() => redis.stop())
    provide(redisService, redis)
    if (redis.isConfigured) contribute(rateLimitStores, createRateLimitStore(redis))
    redis.start()
    on(
      appStart,
      async () => {
        await redis.settled(longestWaitMs)
        isStarted = true
        if (known !== undefined || !redis.isConfigured) {
          await emit(redisProblemsChanged, { problems: known ?? [] })
        }
      },
      { before: ['http'] },
    )
  },
})
