import type { Log } from '../../../../kernel/index.ts'
import type { Config, Setting } from '../../config/config.ts'
import { noFallbacks } from '../routes/compile-fallbacks.ts'
import { buildRouter } from '../routes/router.ts'
import {
  corsOrigins,
  logRequests,
  logSlowRequestsMs,
  rateLimitEnabled,
  rateLimitMax,
  rateLimitWindowMs,
  trustProxy,
} from '../settings.ts'
import { createAccessLog } from './access-log.ts'
import { clientAddress, compileProxyTrust } from './client-address.ts'
import { type CorsPolicy, compileCors } from './cors.ts'
import { createMemoryStore, createRateLimiter, type RateLimiter, withFallback } from './rate-limit.ts'
import type { RateLimitStore } from './rate-limit-store.ts'
import type { AddressReader } from './request.ts'
import type { RequestEnvironment } from './request-stage.ts'

/** The environment, writable for its owner. */
export type MutableEnvironment = { -readonly [Key in keyof RequestEnvironment]: RequestEnvironment[Key] }

/** Starts without routes. Parts that depend on runtime settings follow them until `stopFollowing`. */
export function createEnvironment(config: Config, log: Log) {
  const own = createMemoryStore()
  let store = own
  const environment: MutableEnvironment = {
    log,
    router: buildRouter('', []),
    sockets: buildRouter('', []),
    fallbacks: noFallbacks,
    authenticators: [],
    admission: undefined,
    keeper: undefined,
    labeller: undefined,
    cors: corsOf(config),
    rateLimiter: rateLimiterOf(config, store),
    readAddress: addressReaderOf(config),
    accessLog: createAccessLog(config.get(logRequests), config.get(logSlowRequestsMs), log),
    observers: [],
    isStopping: false,
  }
  const follow = (settings: readonly Setting<never>[], change: () => void) =>
    settings.map((setting) => config.onChange(setting, change))
  const followed = [
    ...follow([corsOrigins as Setting<never>], () => {
      environment.cors = corsOf(config)
    }),
    ...follow([rateLimitEnabled, rateLimitMax, rateLimitWindowMs] as Setting<never>[], () => {
      environment.rateLimiter = rateLimiterOf(config, store)
    }),
  ]
  const stopFollowing = () => {
    for (const stop of followed) stop()
  }
  /** Switches to a store that counts requests across all processes. */
  const shareCounts = (shared: RateLimitStore) => {
    store = withFallback(shared, own, log)
    environment.rateLimiter = rateLimiterOf(config, store)
  }
  return { environment, stopFollowing, shareCounts }
}

/** See docs/http.md: by default any origin in development and none in production. */
function corsOf(config: Config): CorsPolicy {
  const isUnset = config.sourceOf(corsOrigins) === 'default'
  return compileCors(isUnset && config.environment === 'development' ? ['*'] : config.get(corsOrigins))
}

function rateLimiterOf(config: Config, store: RateLimitStore): RateLimiter | undefined {
  if (!config.get(rateLimitEnabled)) return undefined
  return createRateLimiter(store, { max: config.get(rateLimitMax), windowMs: config.get(rateLimitWindowMs) })
}

function addressReaderOf(config: Config): AddressReader {
  const trusted = config.get(trustProxy)
  if (trusted.length === 0) return (exchange) => exchange.peerAddress
  const isTrusted = compileProxyTrust(trusted)
  return (exchange) => clientAddress(exchange.peerAddress, exchange.header('x-forwarded-for'), isTrusted)
}
