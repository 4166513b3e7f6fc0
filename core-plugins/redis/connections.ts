import type { Log } from '../../kernel/index.ts'
import type { Redis, RedisConnection, RedisOptions } from './redis.ts'

export interface RedisConnections extends Redis {
  /** Closes all connections at once. */
  close(): void
}

const connectTimeoutMs = 5_000
const longestPauseMs = 2_000
const keepAliveMs = 15_000

/** Makes connections to the Redis of `url`; none is made before somebody asks for one. */
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
      if (url === '') throw new Error('there is no Redis; set REDIS_URL')
      // Loaded when it is needed: most services have no Redis.
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

/** One line when Redis is gone and one when it is back, however many attempts lie between. */
function logOutages(connection: RedisConnection, log: Log): void {
  let isGone = false
  connection.on('error', (error) => {
    if (!isGone) log.warn({ err: error }, 'Redis cannot be reached; going on without it, and trying again')
    isGone = true
  })
  connection.on('ready', () => {
    if (isGone) log.info({}, 'Redis is back')
    isGone = false
  })
}
