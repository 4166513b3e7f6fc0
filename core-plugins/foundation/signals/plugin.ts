import { definePlugin } from '../../../kernel/index.ts'
import { type Database, databaseService } from '../database/database.ts'
import { type Redis, redisService } from '../redis/redis.ts'
import { createSignals } from './create-signals.ts'
import { openDatabaseTransport } from './database-transport.ts'
import { joinSignals } from './join-signals.ts'
import { openRedisTransport } from './redis-transport.ts'
import { type Signals, signalsService } from './signals.ts'
import type { OpenTransport } from './transport.ts'

/** Notifies other processes of changes, so that they need not wait for their next check. */
export const signalsPlugin = definePlugin({
  name: 'signals',
  description: 'Notifies other processes of changes at once, over Redis and the database',
  uses: { database: databaseService },
  usesIfPresent: { redis: redisService },
  provides: [signalsService],

  async init({ services, provide, onDispose, log }) {
    const ways: Signals[] = []
    for (const [name, open] of transportsOf(services)) {
      const { signals, stop } = await createSignals(open, log.child({ over: name }))
      onDispose(stop)
      ways.push(signals)
    }
    provide(signalsService, joinSignals(ways))
  },
})

/** Redis may fail while the database works, so signals use both if both support them. */
function transportsOf(services: {
  database: Database
  redis: Redis | undefined
}): ReadonlyMap<string, OpenTransport> {
  const transports = new Map<string, OpenTransport>()
  const { redis, database } = services
  if (redis?.isConfigured === true) transports.set('Redis', openRedisTransport(redis))
  if (database.notifications) transports.set('the database', openDatabaseTransport(database.notifications))
  return transports
}
