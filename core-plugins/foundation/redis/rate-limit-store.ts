import type { RateLimitStore } from '../http/http.ts'
import type { Redis, RedisConnection } from './redis.ts'

/** A request must not wait for a Redis that does not respond. */
const timeLimitMs = 250

/** A connection without any answer for this many milliseconds is considered dead and is replaced. */
const socketTimeoutMs = 5_000

// If the setting was shortened, windows that are already open are cut to the new length.
const script = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
local length = tonumber(ARGV[1])
if left < 0 or left > length then
  redis.call('PEXPIRE', KEYS[1], length)
  left = length
end
return { count, left }`

type CountingConnection = RedisConnection & {
  countHit(key: string, windowMs: number): Promise<[count: number, resetInMs: number]>
}

/** Counts in Redis, with one command per request. `hit` rejects at once while Redis is unreachable or not used. */
export function createRateLimitStore(redis: Redis): RateLimitStore {
  let connection: CountingConnection | undefined
  redis.use((connect) => {
    connection = connect({
      commandTimeout: timeLimitMs,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      socketTimeout: socketTimeoutMs,
      scripts: { countHit: { lua: script, numberOfKeys: 1 } },
    }) as CountingConnection
    return () => {
      connection = undefined
    }
  })
  return {
    async hit(key, windowMs) {
      if (connection === undefined) throw new Error('Redis is not used')
      const [count, resetInMs] = await connection.countHit(`${redis.names.rates}${key}`, windowMs)
      return { count, resetInMs }
    },
  }
}
