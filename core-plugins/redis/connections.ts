import type { Log } from '../../kernel/index.ts'
import type { Redis, RedisConnection, RedisOptions } from './redis.ts'

export interface RedisConnections extends Redis {
  /** Closes all connections at once. */
  close(): void
}

const connectTimeoutMs = 5_000
const longestPauseMs = 2_000
const keepAliveMs = 15_000

/** Creates connections to the Redis of `url`; none is opened before the first request for one. */
export function createRedisConnections(options: {
  readonly url: string
  readonly keyPrefix: string
  readonly log: Log
}): RedisConnections {
  const { url, keyPrefix, log } = options
  const open = new Set<RedisConnection>()
  return {
    isConfigured: url !== '',
    url: url === '' ? undefined : url,
    keyPrefix,
    async connect(more: RedisOptions = {}) {
      if (url === '') throw new Error('Redis is not configured; set REDIS_URL')
      // Loaded on demand: most services have no Redis.
      const { Redis } = await import('ioredis')
      const connection = new Redis(url, {
        connectTimeout: connectTimeoutMs,
        keepAlive: keepAliveMs,
        maxRetriesPerRequest: null,
        retryStrategy: (attempts) => Math.min(50 * 2 ** Math.min(attempts, 10), longestPauseMs),
        ...more,
      })
      open.add(connection)
      connection.on('end', () => open.delete(connection))
      logOutages(connection, log)
      return connection
    },
    close() {
      for (const connection of open) connection.disconnect()
    },
  }
}

/** Logs one line when Redis is lost and one when it is back, however many attempts there are in between. */
function logOutages(connection: RedisConnection, log: Log): void {
  let isGone = false
  connection.on('error', (error) => {
    if (!isGone) log.warn({ err: error }, 'Redis cannot be reached; continuing without it and retrying')
    isGone = true
  })
  connection.on('ready', () => {
    if (isGone) log.info({}, 'Redis is back')
    isGone = false
  })
}
