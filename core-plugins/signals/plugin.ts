import { definePlugin } from '../../kernel/index.ts'
import { type Database, databaseService } from '../database/database.ts'
import { type Redis, redisService } from '../redis/redis.ts'
import { createSignals, unconnectedSignals } from './create-signals.ts'
import { openDatabaseTransport } from './database-transport.ts'
import { openRedisTransport } from './redis-transport.ts'
import { signalsService } from './signals.ts'
import type { OpenTransport } from './transport.ts'

/** Tells the other processes that something has changed, so that they need not wait until they look. */
export const signalsPlugin = definePlugin({
  name: 'signals',
  description: 'Tells other processes of changes at once, over Redis or PostgreSQL',
  uses: { database: databaseService },
  usesIfPresent: { redis: redisService },
  provides: [signalsService],

  async init({ services, provide, onDispose, log }) {
    const open = transportOf(services)
    if (open === undefined) return provide(signalsService, unconnectedSignals)
    const { signals, stop } = await createSignals(open, log)
    onDispose(stop)
    provide(signalsService, signals)
  },
})

function transportOf(services: { database: Database; redis: Redis | undefined }): OpenTransport | undefined {
  const { redis, database } = services
  if (redis?.isConfigured === true) return openRedisTransport(redis)
  return database.notifications && openDatabaseTransport(database.notifications)
}
