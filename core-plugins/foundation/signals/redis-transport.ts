import type { ConnectRedis, Redis, RedisConnection } from '../redis/redis.ts'
import type { OpenTransport, TransportListener } from './transport.ts'

/** A signal is not worth waiting for any longer: processes that miss it check the database anyway. */
const timeLimitMs = 2_000

/** A connection without any answer for this many milliseconds is considered dead and is replaced. */
const socketTimeoutMs = 5_000

/** Uses a Redis channel, over two connections, because one that subscribes cannot publish. */
export function openRedisTransport(redis: Redis): OpenTransport {
  return async (listener) => {
    const channel = redis.names.signals
    let lines: Lines | undefined
    const stop = redis.use((connect) => {
      lines = openLines(connect, channel, listener)
      return () => {
        lines = undefined
      }
    })
    return {
      async publish(message) {
        if (lines === undefined) throw new Error('Redis is not used')
        await lines.publisher.publish(channel, message)
      },
      restart: () => lines?.subscriber.disconnect(true),
      stop: () => void stop(),
    }
  }
}

interface Lines {
  readonly publisher: RedisConnection
  readonly subscriber: RedisConnection
}

function openLines(connect: ConnectRedis, channel: string, listener: TransportListener): Lines {
  const publisher = connect({
    commandTimeout: timeLimitMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: socketTimeoutMs,
  })
  const subscriber = connect()
  subscriber.on('message', (_channel: string, message: string) => listener.message(message))
  subscriber.on('ready', () => listener.opened())
  subscriber.on('close', () => listener.lost())
  // Waits for the connection; the driver repeats it with every new one.
  subscriber.subscribe(channel).catch(() => undefined)
  return { publisher, subscriber }
}
