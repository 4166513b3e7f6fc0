import type { Redis } from '../redis/redis.ts'
import type { OpenTransport } from './transport.ts'

/** A signal not sent by then is not worth waiting for: processes that miss it check the database anyway. */
const timeLimitMs = 2_000

/** A connection that has not answered for this long is considered dead and is replaced. */
const socketTimeoutMs = 5_000

/** Over a Redis channel; a connection that subscribes cannot publish. */
export function openRedisTransport(redis: Redis): OpenTransport {
  return async (listener) => {
    const channel = `${redis.keyPrefix}signals`
    const publisher = await redis.connect({
      commandTimeout: timeLimitMs,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      socketTimeout: socketTimeoutMs,
    })
    const subscriber = await redis.connect()
    subscriber.on('message', (_channel: string, message: string) => listener.message(message))
    subscriber.on('ready', () => listener.opened())
    subscriber.on('close', () => listener.lost())
    // Waits for the connection; the driver repeats it with every new one.
    subscriber.subscribe(channel).catch(() => undefined)
    return {
      async publish(message) {
        await publisher.publish(channel, message)
      },
      restart: () => subscriber.disconnect(true),
      stop() {
        subscriber.disconnect()
        publisher.disconnect()
      },
    }
  }
}
